# Nothing has the app image, and nothing the data.
resource "kuscia_serving" "credit" {
  serving_id           = "credit"
  initiator            = "alice"
  serving_input_config = "{}"
  parties              = { alice = { app_image = "no-such-image" } }
}

resource "kuscia_domain_data_grant" "bob" {
  domain_id          = "alice"
  domaindata_id      = "no-such-data"
  domaindatagrant_id = "to-bob"
  grant_domain       = "bob"
}
