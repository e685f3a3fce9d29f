resource "kuscia_domain_data" "scores" {
  domain_id     = "alice"
  domaindata_id = "scores"
  type          = "table"
  relative_uri  = "scores/2026.csv"
}

# Bob may use the table until the end of January 2040. Kuscia deletes a grant
# together with its data. The grant refers to the data, so both are replaced
# together.
resource "kuscia_domain_data_grant" "scores_to_bob" {
  domain_id          = kuscia_domain_data.scores.domain_id
  domaindatagrant_id = "scores-to-bob"
  domaindata_id      = kuscia_domain_data.scores.domaindata_id # so that it is replaced with the data
  grant_domain       = "bob"

  limit = {
    expiration_time = "2040-02-01T00:00:00Z"
  }
}
