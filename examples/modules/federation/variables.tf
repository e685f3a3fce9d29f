variable "parties" {
  description = "Domains of the federation, keyed by domain ID, each with the gateway address for the other parties."
  type = map(object({
    gateway  = string
    port     = optional(number, 1080)
    replicas = optional(number, 1)
    cpu      = optional(string, "1")
    memory   = optional(string, "1Gi")
  }))
}

variable "routes" {
  description = "Routes to create: a list of destinations for each source. By default, every party has a route to every other party."
  type        = map(set(string))
  default     = null

  validation {
    condition     = var.routes == null || alltrue([for source, destinations in coalesce(var.routes, {}) : !contains(destinations, source)])
    error_message = "The source and destination of a route must be different parties."
  }
}

variable "nodes_timeout" {
  description = "How long the first apply waits for the nodes of the parties to join."
  type        = string
  default     = "30m"
}

variable "data" {
  description = "Domain data of the parties, keyed by ID, with the grantees and the expiration of each grant."
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
  description = "The serving in which all parties take part."
  type = object({
    name      = string
    image     = object({ name = string, tag = string })
    initiator = string
    model     = object({ modelId = string, sourcePath = string })
  })
}
