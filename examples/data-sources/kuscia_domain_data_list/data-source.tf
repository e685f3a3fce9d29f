data "kuscia_domain_data_list" "tables" {
  domain_id = "alice"
  type      = "table"
}

# Exclude copies of data that other domains have granted to alice.
output "own_tables" {
  value = { for d in data.kuscia_domain_data_list.tables.domain_data : d.domaindata_id => d.relative_uri if d.author == d.domain_id }
}
