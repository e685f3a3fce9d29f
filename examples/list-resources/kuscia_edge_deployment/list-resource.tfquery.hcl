# The Kuscia nodes on edge nodes. To import them:
# terraform query -generate-config-out=edge_deployments.tf
list "kuscia_edge_deployment" "kuscia" {
  provider = kuscia
  limit    = 500

  config {
    name = "kuscia-"
  }
}
