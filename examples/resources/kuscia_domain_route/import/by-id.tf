import {
  to = kuscia_domain_route.alice_to_bob
  id = "alice/bob"
}
