# Requests from alice to bob. The other direction is another route.
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
}
