# What is there before the provider is asked to manage it.
terraform {
  required_providers {
    kuscia = { source = "terraform-kuscia/kuscia" }
  }
}

resource "kuscia_app_image" "existing" {
  name             = "existing"
  image            = { name = "example/app", tag = "1.0" }
  config_templates = { "app.conf" = "{{.INPUT_CONFIG}}" }
  deploy_templates = [{
    name     = "app"
    replicas = 1
    containers = [{
      name = "app"
      config_volume_mounts = [
        { mount_path = "/work/app.conf", sub_path = "app.conf" },
      ]
      ports = [
        { name = "service", scope = "Domain" },
        { name = "communication", scope = "Cluster" },
      ]
      resources = { limits = { cpu = "1", memory = "1Gi" }, requests = { cpu = "100m", memory = "100Mi" } }
    }]
  }]
}

resource "kuscia_serving" "existing" {
  serving_id           = "existing"
  initiator            = "alice"
  serving_input_config = jsonencode({ key = "value" })
  parties = {
    bob   = { app_image = kuscia_app_image.existing.name }
    alice = { app_image = kuscia_app_image.existing.name, resources = { min_cpu = "0.2", max_cpu = "2" } }
  }
}
