variable "serving_id" {
  type = string
}

variable "app_image" {
  type = string
}

resource "kuscia_app_image" "test" {
  name = var.app_image
  image = {
    name = "secretflow/serving-anolis8"
    tag  = "0.2.0b0"
  }
  config_templates = {
    "serving-config.conf" = jsonencode({
      serving_id   = "{{.SERVING_ID}}"
      input_config = "{{.INPUT_CONFIG}}"
    })
  }
  deploy_templates = [
    {
      name           = "secretflow"
      restart_policy = "Always"
      containers = [
        {
          name        = "secretflow"
          command     = ["sh", "-c", "serve"]
          working_dir = "/root/sf_serving"
          config_volume_mounts = [
            { mount_path = "/root/sf_serving/conf/serving-config.conf", sub_path = "serving-config.conf" },
          ]
          ports = [
            { name = "service", protocol = "HTTP", scope = "Domain" },
            { name = "communication", protocol = "HTTP", scope = "Cluster" },
            { name = "internal", protocol = "HTTP", scope = "Local" },
          ]
        },
      ]
    },
  ]
}

resource "kuscia_serving" "test" {
  serving_id           = var.serving_id
  initiator            = "alice"
  serving_input_config = jsonencode({ partyConfigs = { alice = { featureMapping = {} } } })
  parties = {
    bob = { app_image = kuscia_app_image.test.name }
    "alice/server" = {
      domain_id           = "alice"
      role                = "server"
      app_image           = kuscia_app_image.test.name
      replicas            = 2
      service_name_prefix = "${var.serving_id}-a"
      update_strategy     = { max_surge = "1" }
      container_resources = {
        secretflow = { min_cpu = "0.5", max_cpu = "2", min_memory = "512Mi", max_memory = "2Gi" }
      }
    }
  }
}
