variable "bucket_key" {
  type      = object({ id = string, secret = string })
  sensitive = true
}

resource "kuscia_domain_data_source" "bucket" {
  provider = kuscia.alice

  domain_id     = "alice"
  datasource_id = "bucket"
  type          = "oss"
  name          = "Training data"

  # The _wo attributes keep keys out of state and plan files (Terraform 1.11).
  # Increment the version whenever the text changes.
  oss = {
    endpoint                     = "https://oss.example"
    bucket                       = "training"
    access_key_id_wo             = var.bucket_key.id
    access_key_id_wo_version     = 1
    access_key_secret_wo         = var.bucket_key.secret
    access_key_secret_wo_version = 1
  }
}
