variable "kuscias" {
  description = "Address of each Kuscia, and the directory with its token and certificates."
  type        = map(object({ endpoint = string, certs_dir = string }))
}
