# Address and CA certificate come from the environment.
provider "kuscia" {
  token = var.kuscia_token
}

resource "kuscia_serving" "glm" {
  serving_id = "glm"
  initiator  = "alice"

  serving_input_config_wo = jsonencode({
    model = "models/glm-1"
    storage = {
      endpoint   = "https://storage.example"
      bucket     = "alice"
      access_key = var.storage_access_key
      secret_key = var.storage_secret_key
    }
  })
  serving_input_config_wo_version = var.serving_config_version

  parties = {
    alice = { app_image = kuscia_app_image.serving.name }
  }
}
