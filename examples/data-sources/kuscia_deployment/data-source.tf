data "kuscia_deployment" "glm" {
  name = "glm"
}

output "pods" {
  value = { for d in data.kuscia_deployment.glm.deployments : "${d.namespace}/${d.name}" => "${d.available_replicas} of ${d.replicas}" }
}
