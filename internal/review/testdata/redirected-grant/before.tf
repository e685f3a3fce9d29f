resource "kuscia_domain" "carol" {
  domain_id = "carol"
}

resource "kuscia_domain_route" "this" {
  source              = "alice"
  destination         = kuscia_domain.carol.domain_id
  authentication_type = "Token"
  endpoint            = { host = "gateway.carol.example", ports = [{ name = "http", port = 80, protocol = "HTTP" }] }
  token_config        = { token_gen_method = "RSA-GEN", rolling_update_period = 3600 }
}

resource "kuscia_domain_data" "scores" {
  domain_id     = "alice"
  domaindata_id = "scores"
  type          = "table"
  relative_uri  = "scores/2026.csv"
}

resource "kuscia_domain_data_grant" "moved" {
  domain_id          = kuscia_domain_data.scores.domain_id
  domaindata_id      = kuscia_domain_data.scores.domaindata_id
  domaindatagrant_id = "scores-moved"
  grant_domain       = "bob"
}

resource "kuscia_domain_data_grant" "bob" {
  domain_id          = kuscia_domain_data.scores.domain_id
  domaindata_id      = kuscia_domain_data.scores.domaindata_id
  domaindatagrant_id = "scores-to-bob"
  grant_domain       = "bob"
  limit              = { components = ["psi"], use_count = 3 }
}
