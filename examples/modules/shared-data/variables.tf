variable "id" {
  description = "domaindata_id of the data."
  type        = string
}

variable "owner" {
  description = "Domain that has the data."
  type        = string
}

variable "datasource_id" {
  description = "Data source of the owner that the data are in."
  type        = string
  default     = "default-data-source"
}

variable "type" {
  description = "table, model, rule, report or whatever the applications agree on."
  type        = string
  default     = "table"
}

variable "relative_uri" {
  description = "Place of the data within the data source."
  type        = string
}

variable "file_format" {
  description = "CSV or BINARY; left out, UNKNOWN."
  type        = string
  default     = null
}

variable "columns" {
  description = "Columns of a table."
  type        = list(object({ name = string, type = string, comment = optional(string) }))
  default     = []
}

variable "readers" {
  description = "The domains that may use the data, with the limits of each."
  type        = map(object({ expiration_time = optional(string), use_count = optional(number) }))
  default     = {}

  validation {
    condition     = !contains(keys(var.readers), var.owner)
    error_message = "The owner reads its data without a grant."
  }
}
