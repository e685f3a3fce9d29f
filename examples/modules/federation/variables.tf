variable "parties" {
  description = "The domains that work together, by id, each with the gateway by which the others reach it."
  type = map(object({
    gateway  = string
    port     = optional(number, 1080)
    replicas = optional(number, 1)
    cpu      = optional(string, "1")
    memory   = optional(string, "1Gi")
  }))
}

variable "routes" {
  description = "Who sends requests to whom: a list of destinations for each source. Left out, every party to every other."
  type        = map(set(string))
  default     = null

  validation {
    condition     = var.routes == null || alltrue([for source, destinations in coalesce(var.routes, {}) : !contains(destinations, source)])
    error_message = "A route leads to another party."
  }
}

variable "nodes_timeout" {
  description = "How long the first apply waits for the nodes of the parties to join."
  type        = string
  default     = "30m"
}

variable "data" {
  description = "The data of the parties, by id, and who may use them until when."
  type = map(object({
    owner         = string
    datasource_id = string
    type          = optional(string, "table")
    relative_uri  = string
    file_format   = optional(string)
    columns       = optional(list(object({ name = string, type = string, comment = optional(string) })), [])
    readers       = optional(map(object({ expiration_time = optional(string), use_count = optional(number) })), {})
  }))
  default = {}
}

variable "serving" {
  description = "The serving of all parties."
  type = object({
    name      = string
    image     = object({ name = string, tag = string })
    initiator = string
    model     = any
  })
}
