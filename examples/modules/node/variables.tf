variable "domain_id" {
  description = "Domain of the node."
  type        = string
}

variable "folders" {
  description = "Folders of the node, by the id of the data source."
  type        = map(string)
  default     = {}
}

variable "buckets" {
  description = "Buckets of an object store, by the id of the data source. Raise keys_version with new keys."
  type        = map(object({ endpoint = string, bucket = string, keys_version = optional(number, 1) }))
  default     = {}
}

variable "bucket_keys" {
  description = "Access keys of the buckets, in no state and plan."
  type        = map(object({ id = string, secret = string }))
  default     = {}
  sensitive   = true
  ephemeral   = true
}
