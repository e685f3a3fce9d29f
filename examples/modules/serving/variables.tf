variable "name" {
  description = "serving_id of the serving, and beginning of the name of its app image."
  type        = string
}

variable "image" {
  description = "Container image. A new tag rolls the pods of every party."
  type        = object({ name = string, tag = string })

  validation {
    condition     = var.image.tag != "latest"
    error_message = "Name a version: with the tag latest no plan shows a new image."
  }
}

variable "initiator" {
  description = "Domain of the party that starts the serving; one of parties."
  type        = string
}

variable "parties" {
  description = "The participants, by domain."
  type = map(object({
    replicas = optional(number, 1)
    cpu      = optional(string, "1")
    memory   = optional(string, "1Gi")
  }))
}

variable "model" {
  description = "Configuration of the application, the same text for every party."
  type        = any
}
