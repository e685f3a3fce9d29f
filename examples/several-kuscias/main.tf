# There is no provider block without an alias. A resource without a provider
# argument is therefore an error, and is never created in the wrong Kuscia.
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

# Each resource selects its Kuscia.
resource "kuscia_app_image" "tools" {
  provider = kuscia.staging

  name             = "tools"
  image            = { name = "example/tools", tag = "1.0" }
  deploy_templates = [{ name = "tools", containers = [{ name = "tools" }] }]
}

# A module receives one provider and does not use aliases.
module "staging" {
  source    = "../modules/serving"
  providers = { kuscia = kuscia.staging }

  name      = "glm"
  image     = { name = "secretflow/serving-anolis8", tag = "0.9.0b0" }
  initiator = "alice"
  parties   = { alice = {}, bob = {} }
  model     = { modelId = "glm-2", sourcePath = "/models/glm-2.tar.gz" }
}

module "production" {
  source    = "../modules/serving"
  providers = { kuscia = kuscia.production }

  name      = "glm"
  image     = { name = "secretflow/serving-anolis8", tag = "0.8.0b0" }
  initiator = "alice"
  parties   = { alice = { replicas = 3 }, bob = { replicas = 2 } }
  model     = { modelId = "glm-1", sourcePath = "/models/glm-1.tar.gz" }
}
