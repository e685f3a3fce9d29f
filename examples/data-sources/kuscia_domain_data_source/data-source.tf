data "kuscia_domain_data_source" "default" {
  domain_id     = "alice"
  datasource_id = "default-data-source"
}

output "default_type" {
  value = data.kuscia_domain_data_source.default.type
}
