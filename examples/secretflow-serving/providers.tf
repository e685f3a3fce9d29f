# The master. Address and certificates come from the environment.
provider "kuscia" {}

# The node of alice. Only it can manage her configuration.
provider "kuscia" {
  alias     = "alice"
  endpoint  = var.alice_node.endpoint
  certs_dir = var.alice_node.certs_dir
}
