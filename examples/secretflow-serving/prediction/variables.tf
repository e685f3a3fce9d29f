variable "gateway" {
  description = "Address of the gateway of the party's node, with http:// and without a path."
  type        = string
}

variable "serving_id" {
  description = "ID of the serving."
  type        = string
}

variable "domain_id" {
  description = "Domain ID of the party that asks."
  type        = string
}

variable "service" {
  description = "Endpoint of the party's port service."
  type        = string
}

variable "metrics" {
  description = "Endpoint of the party's port internal."
  type        = string
}

variable "query" {
  description = "What to predict: for each party, one key of its feature source per row."
  type        = map(list(string))
}
