
resource "kuscia_domain_data" "scores" {
  domain_id     = "alice"
  domaindata_id = "scores"
  type          = "table"
  relative_uri  = "scores/2026.csv"
}
