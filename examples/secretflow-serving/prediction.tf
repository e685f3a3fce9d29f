# Asks for a prediction and for metrics, and warns where there are none.
module "prediction" {
  source = "./prediction"
  count  = var.gateway == null ? 0 : 1

  gateway    = var.gateway
  serving_id = kuscia_serving.credit.serving_id
  domain_id  = "alice"
  service    = kuscia_serving.credit.endpoints["alice/service"]
  metrics    = kuscia_serving.credit.endpoints["alice/internal"]

  query = {
    alice = ["customer-1"]
    bob   = ["customer-1"]
  }
}
