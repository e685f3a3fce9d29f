resource "kuscia_domain" "carol" {
  domain_id = "carol"
}

resource "kuscia_serving" "broken" {
  serving_id           = "broken"
  initiator            = "alice"
  serving_input_config = "{}"
  parties              = { alice = { app_image = "no-such-image" } }
}
