# Data sources are managed on the node of their domain, not on the master.
provider "kuscia" {
  alias    = "alice"
  endpoint = var.alice_endpoint
}

variable "alice_endpoint" {
  type = string
}

resource "kuscia_domain_data_source" "folder" {
  provider = kuscia.alice

  domain_id     = "alice"
  datasource_id = "folder"
  type          = "localfs"
  localfs       = { path = "/home/kuscia/var/storage/data" }
}
