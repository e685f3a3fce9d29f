terraform {
  required_providers {
    kuscia = {
      source = "terraform-kuscia/kuscia"
    }
  }
}

variable "kuscias" {
  description = "Where each Kuscia is: its address and the folder with its token and certificates."
  type        = map(object({ endpoint = string, certs_dir = string }))
}

# No block without alias: a resource that names no Kuscia is then an error
# rather than a resource in the wrong one.
provider "kuscia" {
  alias     = "staging"
  endpoint  = var.kuscias.staging.endpoint
  certs_dir = var.kuscias.staging.certs_dir
}

provider "kuscia" {
  alias     = "production"
  endpoint  = var.kuscias.production.endpoint
  certs_dir = var.kuscias.production.certs_dir
}

# A resource names its Kuscia.
resource "kuscia_app_image" "tools" {
  provider = kuscia.staging

  name             = "tools"
  image            = { name = "example/tools", tag = "1.0" }
  deploy_templates = [{ name = "tools", containers = [{ name = "tools" }] }]
}

# A module is handed one, and knows no alias.
module "staging" {
  source    = "../modules/serving"
  providers = { kuscia = kuscia.staging }

  name      = "glm"
  image     = { name = "secretflow/serving-anolis8", tag = "0.9.0b0" }
  initiator = "alice"
  parties   = { alice = {}, bob = {} }
  model     = { modelId = "glm-2" }
}

module "production" {
  source    = "../modules/serving"
  providers = { kuscia = kuscia.production }

  name      = "glm"
  image     = { name = "secretflow/serving-anolis8", tag = "0.8.0b0" }
  initiator = "alice"
  parties   = { alice = { replicas = 3 }, bob = { replicas = 2 } }
  model     = { modelId = "glm-1" }
}
