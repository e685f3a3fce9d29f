# The master manages objects that involve more than one party.
provider "kuscia" {
  endpoint  = var.master.endpoint
  certs_dir = var.master.certs_dir
}

# One provider for each node, for objects that only the node can manage and
# read. The certificates exist only after the nodes are started, so they are
# unknown in the first plan.
provider "kuscia" {
  alias     = "alice"
  endpoint  = var.nodes.alice.endpoint
  certs_dir = terraform_data.node["alice"].output
}

provider "kuscia" {
  alias     = "bob"
  endpoint  = var.nodes.bob.endpoint
  certs_dir = terraform_data.node["bob"].output
}
