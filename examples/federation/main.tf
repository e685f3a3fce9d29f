module "federation" {
  source = "../modules/federation"

  parties = {
    alice = { gateway = "gateway.alice.example", replicas = 2 }
    bob   = { gateway = "gateway.bob.example" }
  }
  routes = {
    alice = ["bob"]
    bob   = ["alice"]
  }

  data = {
    alice-scores = {
      owner         = "alice"
      datasource_id = module.alice.data_sources["training"]
      relative_uri  = "scores/2026.csv"
      columns       = [{ name = "id", type = "str" }, { name = "score", type = "float" }]
      readers       = { bob = { expiration_time = "2040-02-01T00:00:00Z" } }
    }
    bob-features = {
      owner         = "bob"
      datasource_id = module.bob.data_sources["features"]
      relative_uri  = "features.csv"
      columns       = [{ name = "id", type = "str" }, { name = "age", type = "int" }]
      readers       = { alice = {} }
    }
  }

  serving = {
    name      = "credit"
    image     = var.image
    initiator = "alice"
    model     = { modelId = "credit-1", sourcePath = "/models/credit-1.tar.gz" }
  }
}

# Starts the nodes with the deploy tokens of their domains. The routes wait for
# the nodes.
ephemeral "kuscia_domain_deploy_token" "this" {
  for_each = module.federation.domains

  domain_id = each.value

  # OpenTofu does not open the ephemeral resource in a plan that changes what it
  # depends on. It does not see the domains behind the output of a module.
  depends_on = [module.federation.domains]
}

resource "terraform_data" "node" {
  for_each = module.federation.domains

  input = var.nodes[each.key].certs_dir

  provisioner "local-exec" {
    command = var.start_node
    environment = {
      DOMAIN_ID    = each.value
      DEPLOY_TOKEN = ephemeral.kuscia_domain_deploy_token.this[each.key].token
      CERTS_DIR    = var.nodes[each.key].certs_dir
    }
  }
}

module "alice" {
  source    = "../modules/node"
  providers = { kuscia = kuscia.alice }

  domain_id   = module.federation.joined["alice"]
  folders     = { reports = "/home/kuscia/var/storage/data/reports" }
  buckets     = { training = { endpoint = "https://oss.example", bucket = "training" } }
  bucket_keys = { training = var.alice_bucket_key }
}

module "bob" {
  source    = "../modules/node"
  providers = { kuscia = kuscia.bob }

  domain_id = module.federation.joined["bob"]
  folders   = { features = "/home/kuscia/var/storage/data/features" }
}
