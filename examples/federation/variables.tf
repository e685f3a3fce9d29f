variable "master" {
  description = "KusciaAPI of the master: its address, and the directory with its token and certificates."
  type        = object({ endpoint = string, certs_dir = string })
}

variable "nodes" {
  description = "KusciaAPI of the node of each party. The directories are empty until the node is started."
  type        = object({ alice = object({ endpoint = string, certs_dir = string }), bob = object({ endpoint = string, certs_dir = string }) })
}

variable "start_node" {
  description = "Command that starts the lite node of the domain DOMAIN_ID with the token DEPLOY_TOKEN, and exits when the token and the certificates of its KusciaAPI are in the directory CERTS_DIR."
  type        = string
}

variable "alice_bucket_key" {
  description = "Access key of alice's bucket."
  type        = object({ id = string, secret = string })
  sensitive   = true
  ephemeral   = true
}

variable "image" {
  description = "Image of the serving. A new tag is rolled out to every party."
  type        = object({ name = string, tag = string })
  default     = { name = "secretflow/serving-anolis8", tag = "0.8.0b0" }
}
