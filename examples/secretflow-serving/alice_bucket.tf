# Address and keys of alice's bucket. The pods of alice read them when they start; no other
# party does, and the text of the serving does not contain them.
resource "kuscia_config" "alice_bucket" {
  provider = kuscia.alice

  key = "SERVING_OSS_META"
  value_wo = jsonencode({
    endpoint       = var.alice_bucket.endpoint
    bucket         = var.alice_bucket.bucket
    access_key     = var.alice_bucket_keys.access_key
    secret_key     = var.alice_bucket_keys.secret_key
    virtual_hosted = true
  })
  value_wo_version = var.alice_bucket.keys_version
}
