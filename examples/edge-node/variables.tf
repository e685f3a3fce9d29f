variable "edge_node_id" {
  description = "ID of the edge node, from the IEF console."
  type        = string
}

variable "master_endpoint" {
  description = "Address of the master's gateway, as reachable from the edge node."
  type        = string
}

variable "partner" {
  description = "Partner domain of the edge node, and the host of its gateway."
  type        = object({ domain_id = string, gateway = string })
}

variable "kuscia_version" {
  description = "Tag of the Kuscia image. A new tag updates the node in place."
  type        = string
  default     = "1.1.0b0"
}
