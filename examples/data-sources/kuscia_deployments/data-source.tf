# Servings created through the KusciaAPI are KusciaDeployments as well.
data "kuscia_deployments" "servings" {
  label_selector = "kuscia.secretflow/app-type=serving"
}

output "not_available" {
  value = { for d in data.kuscia_deployments.servings.deployments : d.name => d.phase if d.phase != "Available" }
}
