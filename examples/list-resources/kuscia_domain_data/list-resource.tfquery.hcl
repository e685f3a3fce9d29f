# The tables of alice. To import them:
# terraform query -generate-config-out=tables.tf
list "kuscia_domain_data" "tables" {
  provider = kuscia
  limit    = 500

  config {
    domain_id = "alice"
    type      = "table"
  }
}
