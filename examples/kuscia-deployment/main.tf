# This configuration uses only the Kubernetes cluster, not the KusciaAPI. The
# kubeconfig is that of a Kuscia master or autonomy node.
provider "kuscia" {
  kubernetes = {
    config_path = var.kubeconfig
  }
}

variable "kubeconfig" {
  type = string
}

variable "tag" {
  type    = string
  default = "v1"
}

variable "storage_key" {
  type      = string
  ephemeral = true
  sensitive = true
  default   = "example"
}

resource "kuscia_deployment" "psi" {
  name      = "psi"
  initiator = "alice"

  # Not stored in state or plan files. A new version means that the text
  # changed.
  input_config_wo         = jsonencode({ storage = { key = var.storage_key } })
  input_config_wo_version = 1

  parties = [
    for domain in ["alice", "bob"] : {
      domain_id = domain
      app_image = "psi-${var.tag}"
      # replicas is not set, so an autoscaler may change the number of pods.
      containers = [{
        name     = "main"
        requests = { cpu = "100m", memory = "128Mi" }
        limits   = { memory = "256Mi" }
      }]
    }
  ]
}

# The Deployments that Kuscia created, for example for a kuscia_rollout.
data "kuscia_deployment" "psi" {
  name = kuscia_deployment.psi.name
}

output "deployments" {
  value = [for d in data.kuscia_deployment.psi.deployments : "${d.namespace}/${d.name}"]
}
