terraform {
  required_providers {
    kuscia = {
      source = "terraform-kuscia/kuscia"
    }
  }
}

variable "nodes" {
  description = "The autonomy nodes, keyed by domain: address, and directory with token and certificates."
  type        = map(object({ endpoint = string, certs_dir = string }))
}

provider "kuscia" {
  alias     = "alice"
  endpoint  = var.nodes.alice.endpoint
  certs_dir = var.nodes.alice.certs_dir
}

provider "kuscia" {
  alias     = "bob"
  endpoint  = var.nodes.bob.endpoint
  certs_dir = var.nodes.bob.certs_dir
}

# An application of your own, whose configuration text has a format of its own.
locals {
  app_image = {
    name  = "model-server"
    image = { name = "example/model-server", tag = "1.0" }
    deploy_templates = [
      {
        name = "server"
        containers = [
          {
            name    = "server"
            command = ["/app/server"]
            ports = [
              { name = "service", protocol = "HTTP", scope = "Domain" },
              { name = "communication", protocol = "HTTP", scope = "Cluster" },
            ]
          },
        ]
      },
    ]
  }
}

# Each node reads app images from its own cluster. The same app image must exist
# on both nodes, with the same name.
resource "kuscia_app_image" "alice" {
  provider = kuscia.alice

  name             = local.app_image.name
  image            = local.app_image.image
  deploy_templates = local.app_image.deploy_templates
}

resource "kuscia_app_image" "bob" {
  provider = kuscia.bob

  name             = local.app_image.name
  image            = local.app_image.image
  deploy_templates = local.app_image.deploy_templates
}

# The serving is managed only on the node of its initiator.
resource "kuscia_serving" "glm" {
  provider = kuscia.alice

  serving_id           = "glm"
  initiator            = "alice"
  serving_input_config = jsonencode({ modelId = "glm-1" })

  parties = {
    alice = { app_image = kuscia_app_image.alice.name }
    bob   = { app_image = kuscia_app_image.bob.name }
  }
}
