variable "id" {
  description = "domaindata_id of the domain data."
  type        = string
}

variable "owner" {
  description = "Domain that owns the data."
  type        = string
}

variable "datasource_id" {
  description = "Data source of the owner that contains the data."
  type        = string
  default     = "default-data-source"
}

variable "type" {
  description = "Type of the data: table, model, rule, report or an application-defined value."
  type        = string
  default     = "table"
}

variable "relative_uri" {
  description = "Path of the data within the data source."
  type        = string
}

variable "file_format" {
  description = "File format: CSV or BINARY. Defaults to UNKNOWN."
  type        = string
  default     = null
}

variable "columns" {
  description = "Columns of a table."
  type        = list(object({ name = string, type = string, comment = optional(string) }))
  default     = []
}

variable "readers" {
  description = "Domains that may use the data, with the limits of each grant."
  type        = map(object({ expiration_time = optional(string), use_count = optional(number) }))
  default     = {}

  validation {
    condition     = !contains(keys(var.readers), var.owner)
    error_message = "The owner needs no grant for its own data."
  }
}
