# Requests from alice to bob, and from bob to alice: a route for each way.
resource "kuscia_domain_route" "alice_to_bob" {
  source              = "alice"
  destination         = "bob"
  authentication_type = "Token"

  endpoint = {
    host = "gateway.bob.example"
    ports = [
      { name = "http", port = 1080, protocol = "HTTP", is_tls = true },
    ]
  }

  # A new token each day.
  token_config = {
    rolling_update_period = 86400
  }
}

resource "kuscia_domain_route" "bob_to_alice" {
  source              = "bob"
  destination         = "alice"
  authentication_type = "Token"

  endpoint = {
    host = "gateway.alice.example"
    ports = [
      { name = "http", port = 1080, protocol = "HTTP", is_tls = true },
    ]
  }

  # Both gateways run, and have to reach each other. Fails after five minutes,
  # or what timeouts.create says.
  wait_for_ready = true
}
