resource "kuscia_domain" "carol" {
  domain_id = "carol"
}

# The plan refuses a party without pods.
resource "kuscia_serving" "broken" {
  serving_id           = "broken"
  initiator            = "alice"
  serving_input_config = "{}"
  parties              = { alice = { app_image = "no-such-image", replicas = 0 } }
}
