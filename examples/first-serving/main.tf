terraform {
  required_providers {
    kuscia = { source = "terraform-kuscia/kuscia" }
  }
}

# KUSCIA_ENDPOINT and KUSCIA_CERTS_DIR are in the environment.
provider "kuscia" {}

# How Kuscia starts SecretFlow-Serving.
resource "kuscia_app_image" "serving" {
  name  = "secretflow-serving"
  image = { name = "secretflow/serving-anolis8", tag = "0.8.0b0" }

  # Kuscia replaces the {{.NAMES}} and mounts the result as a file.
  config_templates = {
    "serving-config.conf" = jsonencode({
      serving_id      = "{{.SERVING_ID}}"
      input_config    = "{{.INPUT_CONFIG}}"
      cluster_def     = "{{.CLUSTER_DEFINE}}"
      allocated_ports = "{{.ALLOCATED_PORTS}}"
    })
  }

  deploy_templates = [{
    name = "secretflow"
    containers = [{
      name        = "secretflow"
      working_dir = "/root/sf_serving"
      command     = ["./secretflow_serving"]
      args        = ["--flagfile=conf/gflags.conf", "--config_mode=kuscia", "--serving_config_file=/etc/kuscia/serving-config.conf"]

      config_volume_mounts = [{ mount_path = "/etc/kuscia/serving-config.conf", sub_path = "serving-config.conf" }]

      ports = [
        { name = "service", protocol = "HTTP", scope = "Cluster" },
        { name = "communication", protocol = "HTTP", scope = "Cluster" },
        { name = "internal", protocol = "HTTP", scope = "Domain" },
        { name = "brpc-builtin", protocol = "HTTP", scope = "Domain" },
      ]
      readiness_probe = { http_get = { path = "/health", port = "brpc-builtin" } }
    }]
  }]
}

# The features of each party.
locals {
  features = { alice = ["v21", "v22"], bob = ["v6", "v7"] }
}

# One model, of which each party serves its part.
resource "kuscia_serving" "credit" {
  serving_id = "credit"
  initiator  = "alice"

  serving_input_config = jsonencode({
    partyConfigs = {
      for party, names in local.features : party => {
        serverConfig        = { featureMapping = { for name in names : name => replace(name, "v", "x") } }
        modelConfig         = { modelId = "credit-1", basePath = "/tmp/${party}", sourcePath = "examples/${party}/glm-test.tar.gz", sourceType = "ST_FILE" }
        featureSourceConfig = { mockOpts = {} }
        channelDesc         = { protocol = "http" }
      }
    }
  })

  parties = {
    alice = { app_image = kuscia_app_image.serving.name, replicas = 1 }
    bob   = { app_image = kuscia_app_image.serving.name, replicas = 1 }
  }
}

output "endpoints" {
  description = "Where each party is reached."
  value       = kuscia_serving.credit.endpoints
}
