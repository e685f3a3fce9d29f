data "kuscia_edge_deployment" "lite" {
  name = "kuscia-lite-alice"
}

output "instances" {
  value = { for instance in data.kuscia_edge_deployment.lite.instances : instance.name => instance.state }
}
