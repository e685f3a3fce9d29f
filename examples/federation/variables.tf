variable "master" {
  description = "The KusciaAPI of the master: address, and folder with token and certificates."
  type        = object({ endpoint = string, certs_dir = string })
}

variable "nodes" {
  description = "The KusciaAPI of the node of each party. The folders are empty before the node is started."
  type        = object({ alice = object({ endpoint = string, certs_dir = string }), bob = object({ endpoint = string, certs_dir = string }) })
}

variable "start_node" {
  description = "Command that starts the lite node of the domain DOMAIN_ID with the token DEPLOY_TOKEN, and ends when the token and the certificates of its KusciaAPI are in the folder CERTS_DIR."
  type        = string
}

variable "alice_bucket_key" {
  description = "Access key of the bucket of alice."
  type        = object({ id = string, secret = string })
  sensitive   = true
  ephemeral   = true
}

variable "image" {
  description = "Image of the serving. A new tag rolls it out at every party."
  type        = object({ name = string, tag = string })
  default     = { name = "secretflow/serving-anolis8", tag = "0.8.0b0" }
}
