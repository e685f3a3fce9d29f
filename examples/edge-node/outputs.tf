output "edge_deployment_id" {
  description = "ID of the deployment in IEF."
  value       = kuscia_edge_deployment.edge.id
}
