variable "edge_node_id" {
  description = "Id of the edge node, from the IEF console."
  type        = string
}

variable "master_endpoint" {
  description = "Address of the master's gateway as the edge node reaches it."
  type        = string
}

variable "partner" {
  description = "The domain that the edge node works with, and the host of its gateway."
  type        = object({ domain_id = string, gateway = string })
}

variable "kuscia_version" {
  description = "Tag of the Kuscia image. Another one is an update of the node in place."
  type        = string
  default     = "1.1.0b0"
}
