# Address and CA certificate come from the environment.
provider "kuscia" {
  token = var.kuscia_token
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

  parties = {
    alice = { app_image = kuscia_app_image.serving.name }
  }
}
