variable "domain_id" {
  description = "Domain ID of the node."
  type        = string
}

variable "folders" {
  description = "Local directories of the node, keyed by data source ID."
  type        = map(string)
  default     = {}
}

variable "buckets" {
  description = "Object storage buckets, keyed by data source ID. Increment keys_version when the access keys change."
  type        = map(object({ endpoint = string, bucket = string, keys_version = optional(number, 1) }))
  default     = {}
}

variable "bucket_keys" {
  description = "Access keys of the buckets. Not stored in state or plan files."
  type        = map(object({ id = string, secret = string }))
  default     = {}
  sensitive   = true
  ephemeral   = true
}
