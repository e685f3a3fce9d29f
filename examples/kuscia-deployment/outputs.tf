# The Deployments that Kuscia created, for example for a kuscia_rollout.
data "kuscia_deployment" "psi" {
  name = kuscia_deployment.psi.name
}

output "deployments" {
  value = keys(data.kuscia_deployment.psi.deployments)
}
