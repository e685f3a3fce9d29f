data "kuscia_edge_deployments" "kuscia" {
  name = "kuscia-"
}

output "not_ready" {
  value = [for deployment in data.kuscia_edge_deployments.kuscia.edge_deployments : deployment.name if deployment.ready_replicas < deployment.replicas]
}
