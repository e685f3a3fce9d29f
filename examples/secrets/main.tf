terraform {
  required_version = ">= 1.11" # Terraform or OpenTofu

  required_providers {
    kuscia = {
      source  = "terraform-kuscia/kuscia"
      version = "~> 0.1.0"
    }
  }
}

provider "kuscia" {
  endpoint            = "https://kuscia.example:8082"
  token               = var.kuscia_token
  ca_certificate_file = "/etc/kuscia/certs/ca.crt"
}

resource "kuscia_serving" "glm" {
  serving_id = "glm"
  initiator  = "alice"

  serving_input_config_wo = jsonencode({
    partyConfigs = {
      alice = {
        modelConfig = {
          modelId    = "glm-1"
          basePath   = "/tmp/alice"
          sourcePath = "models/glm.tar.gz"
          sourceType = "ST_OSS"
          ossSourceMeta = {
            endpoint  = "https://storage.example"
            bucket    = "alice"
            accessKey = var.storage_access_key
            secretKey = var.storage_secret_key
          }
        }
      }
    }
  })
  serving_input_config_wo_version = var.serving_config_version

  parties = [
    {
      domain_id = "alice"
      app_image = kuscia_app_image.serving.name
    },
  ]
}

resource "kuscia_app_image" "serving" {
  name  = "serving"
  image = { name = "secretflow/serving-anolis8", tag = "0.8.0b0" }

  deploy_templates = [
    {
      name = "secretflow"
      containers = [
        {
          name        = "secretflow"
          working_dir = "/root/sf_serving"
          command     = ["./secretflow_serving", "--flagfile=conf/gflags.conf"]
          ports = [
            { name = "service", protocol = "HTTP", scope = "Domain" },
          ]
        },
      ]
    },
  ]
}
