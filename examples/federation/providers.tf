# The master, for whatever belongs to more than one party.
provider "kuscia" {
  endpoint  = var.master.endpoint
  certs_dir = var.master.certs_dir
}

# The nodes, each for what only it may manage and see. Their certificates are
# there once they have been started, which the first plan does not know yet.
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
