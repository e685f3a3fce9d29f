data "kuscia_domain_route" "alice_to_bob" {
  source      = "alice"
  destination = "bob"
}

check "alice_reaches_bob" {
  assert {
    condition     = data.kuscia_domain_route.alice_to_bob.status == "Succeeded"
    error_message = "The route from alice to bob is not ready: ${data.kuscia_domain_route.alice_to_bob.reason}"
  }
}

output "alice_to_bob" {
  value = data.kuscia_domain_route.alice_to_bob.status
}
