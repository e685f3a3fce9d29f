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

  # Renew the token every day.
  token_config = {
    rolling_update_period = 86400
  }

  # Waits until both gateways run and reach each other. Fails after five
  # minutes, or after timeouts.create.
  wait_for_ready = true

  # A change may remove a white list that another client has set. Without this
  # a change that would lose it is refused.
  allow_removal_of = ["sourceWhiteIPList"]
}
