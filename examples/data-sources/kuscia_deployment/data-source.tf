data "kuscia_deployment" "glm" {
  name = "glm"
}

output "pods" {
  value = { for name, d in data.kuscia_deployment.glm.deployments : name => "${d.available_replicas} of ${d.replicas}" }
}
