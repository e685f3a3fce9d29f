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
