# The copy of the grant in the grantee's domain. Its phase is correct
# immediately.
data "kuscia_domain_data_grant" "of_bob" {
  domain_id          = "bob"
  domaindatagrant_id = "scores-to-bob"
}

output "bob_may_use_scores" {
  value = data.kuscia_domain_data_grant.of_bob.phase == "Ready"
}
