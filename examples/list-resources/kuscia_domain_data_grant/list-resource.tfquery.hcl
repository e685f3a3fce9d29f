# What alice has granted. To import it:
# terraform query -generate-config-out=grants.tf
list "kuscia_domain_data_grant" "alice" {
  provider = kuscia

  config {
    domain_id = "alice"
  }
}
