data "kuscia_domain_data_sources" "alice" {
  domain_id = "alice"
}

output "alice_data_sources" {
  value = data.kuscia_domain_data_sources.alice.ids
}
