# The grants of alice. To import them:
# terraform query -generate-config-out=grants.tf
list "kuscia_domain_data_grant" "alice" {
  provider = kuscia

  config {
    domain_id = "alice"
  }
}
