# Requests from alice to bob, and from bob to alice: one route for each
# direction.
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

  # Renew the token every day.
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

  # Waits until both gateways run and reach each other. Fails after five
  # minutes, or after timeouts.create.
  wait_for_ready = true
}
