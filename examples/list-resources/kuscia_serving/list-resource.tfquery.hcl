# All servings in which alice takes part. To import them:
# terraform query -generate-config-out=servings.tf
list "kuscia_serving" "alice" {
  provider = kuscia
  limit    = 500

  config {
    domain_id = "alice"
  }
}
