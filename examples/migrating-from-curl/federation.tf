variable "warehouse_password" {
  type      = string
  sensitive = true
}

variable "bucket_key" {
  type      = object({ id = string, secret = string })
  sensitive = true
}

resource "kuscia_domain" "carol" {
  domain_id   = "carol-bank"
  role        = "partner"
  auth_center = { authentication_type = "Token", token_gen_method = "UID-RSA-GEN" }
}

resource "kuscia_domain_route" "alice_to_carol" {
  source              = "alice"
  destination         = kuscia_domain.carol.domain_id
  authentication_type = "Token"

  endpoint = {
    host  = "gateway.carol.example"
    ports = [{ name = "http", port = 1080, protocol = "HTTP", is_tls = true }]
  }
  token_config = { token_gen_method = "UID-RSA-GEN", rolling_update_period = 86400 }
}

resource "kuscia_config" "warehouse" {
  key   = "warehouse"
  value = "{\"endpoint\":\"db.example:3306\",\"user\":\"reader\",\"password\":\"${var.warehouse_password}\",\"database\":\"warehouse\"}"
}

resource "kuscia_domain_data_source" "bucket" {
  domain_id     = "alice"
  datasource_id = "bucket"
  type          = "oss"
  name          = "Training data"

  oss = {
    endpoint          = "https://oss.example"
    bucket            = "training"
    prefix            = "scores"
    access_key_id     = var.bucket_key.id
    access_key_secret = var.bucket_key.secret
  }
}

resource "kuscia_domain_data" "scores" {
  domain_id     = "alice"
  domaindata_id = "scores"
  type          = "table"
  relative_uri  = "2026.csv"
  datasource_id = kuscia_domain_data_source.bucket.datasource_id
  file_format   = "CSV"
  columns = [
    { name = "id", type = "str", not_nullable = true },
    { name = "score", type = "float" },
  ]
}

resource "kuscia_domain_data_grant" "scores_to_carol" {
  domain_id          = "alice"
  domaindatagrant_id = "scores-to-carol"
  domaindata_id      = kuscia_domain_data.scores.domaindata_id
  grant_domain       = kuscia_domain.carol.domain_id
  limit              = { expiration_time = "2040-02-02T00:00:00Z", use_count = 100 }
}
