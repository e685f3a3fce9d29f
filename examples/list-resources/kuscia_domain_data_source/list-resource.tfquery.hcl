# The data sources of alice, read from her node. To import them:
# terraform query -generate-config-out=data_sources.tf
list "kuscia_domain_data_source" "alice" {
  provider = kuscia

  config {
    domain_id = "alice"
  }
}
