variable "access_key_secret" {
  type      = string
  sensitive = true
}

# Credentials that a data source of the node refers to by info_key. With
# Terraform 1.11 or later give them as value_wo, with value_wo_version = 1, and
# they are in no state.
resource "kuscia_config" "oss" {
  key = "oss-credentials"
  value = jsonencode({
    endpoint          = "https://oss.example"
    bucket            = "models"
    access_key_id     = "alice"
    access_key_secret = var.access_key_secret
  })
}
