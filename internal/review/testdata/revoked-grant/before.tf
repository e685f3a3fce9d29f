
resource "kuscia_domain_data" "scores" {
  domain_id     = "alice"
  domaindata_id = "scores"
  type          = "table"
  relative_uri  = "scores/2026.csv"
}

resource "kuscia_domain_data_grant" "bob" {
  domain_id          = kuscia_domain_data.scores.domain_id
  domaindata_id      = kuscia_domain_data.scores.domaindata_id
  domaindatagrant_id = "scores-to-bob"
  grant_domain       = "bob"
  limit              = { expiration_time = "2040-02-01T00:00:00Z" }
}
