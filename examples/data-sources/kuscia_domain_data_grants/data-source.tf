data "kuscia_domain_data_grants" "to_bob" {
  domain_id    = "alice"
  grant_domain = "bob"
}

output "data_of_alice_for_bob" {
  value = data.kuscia_domain_data_grants.to_bob.grants[*].domaindata_id
}
