variable "access_key_secret" {
  type      = string
  sensitive = true
}

# Credentials that a data source of the node refers to with info_key. With
# Terraform 1.11 or later, use value_wo and value_wo_version = 1 to keep them
# out of the state.
resource "kuscia_config" "oss" {
  key = "oss-credentials"
  value = jsonencode({
    endpoint          = "https://oss.example"
    bucket            = "models"
    access_key_id     = "alice"
    access_key_secret = var.access_key_secret
  })
}
