import {
  to = kuscia_domain_route.alice_to_bob
  identity = {
    source      = "alice"
    destination = "bob"
  }
}
