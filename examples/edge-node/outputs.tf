output "edge_deployment_id" {
  description = "Id of the deployment in IEF."
  value       = kuscia_edge_deployment.edge.id
}
