variable "name" {
  description = "serving_id of the serving, and prefix of the name of its app image."
  type        = string
}

variable "image" {
  description = "Container image. A new tag replaces the pods of every party."
  type        = object({ name = string, tag = string })

  validation {
    condition     = var.image.tag != "latest"
    error_message = "Use a version tag: with the tag latest, plans do not show a new image."
  }
}

variable "initiator" {
  description = "Domain of the party that initiates the serving. Must be one of parties."
  type        = string
}

variable "parties" {
  description = "Parties of the serving, keyed by domain."
  type = map(object({
    replicas = optional(number, 1)
    cpu      = optional(string, "1")
    memory   = optional(string, "1Gi")
  }))
}

variable "model" {
  description = "Where each party has its part of the model: modelConfig of SecretFlow-Serving."
  type = object({
    modelId    = string
    sourcePath = string
    sourceType = optional(string, "ST_FILE")
    basePath   = optional(string, "/tmp/models")
  })
}
