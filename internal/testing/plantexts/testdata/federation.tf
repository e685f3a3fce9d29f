resource "kuscia_domain" "partner" {
  domain_id = "dave"
  role      = "partner"
  cert      = file("first.pem")
  auth_center = {
    authentication_type = "Token"
    token_gen_method    = "UID-RSA-GEN"
  }
}

resource "kuscia_domain_route" "partner" {
  source              = "alice"
  destination         = kuscia_domain.partner.domain_id
  authentication_type = "Token"
  endpoint = {
    host  = "gateway.dave.example"
    ports = [{ name = "http", port = 1080, protocol = "HTTP", is_tls = true }]
  }
  token_config = {
    token_gen_method      = "RSA-GEN"
    rolling_update_period = 3600
  }
}

resource "kuscia_domain_data_source" "folder" {
  domain_id     = "alice"
  datasource_id = "folder"
  type          = "localfs"
  name          = "models-1"
  localfs       = { path = "/data/alice" }
}

resource "kuscia_domain_data" "scores" {
  domain_id     = "alice"
  domaindata_id = "scores"
  type          = "table"
  datasource_id = kuscia_domain_data_source.folder.datasource_id
  relative_uri  = "scores/2026.csv"
  columns       = [{ name = "id", type = "str" }, { name = "score", type = "float" }]
}

resource "kuscia_domain_data_grant" "scores" {
  domain_id          = kuscia_domain_data.scores.domain_id
  domaindatagrant_id = "scores-1"
  domaindata_id      = kuscia_domain_data.scores.domaindata_id
  grant_domain       = "bob"
  limit              = { use_count = 10 }
}

resource "kuscia_config" "client" {
  key   = "client"
  value = jsonencode({ retries = 1 })
}
