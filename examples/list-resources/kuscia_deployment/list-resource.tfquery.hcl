# All KusciaDeployments in which alice takes part. To import them:
# terraform query -generate-config-out=deployments.tf
list "kuscia_deployment" "alice" {
  provider = kuscia
  limit    = 500

  config {
    domain_id = "alice"
  }
}
