resource "kuscia_deployment" "glm" {
  name      = "glm"
  initiator = "alice"
  labels    = { "kuscia.secretflow/app-type" = "serving" }

  input_config = jsonencode({ modelId = "glm-1" })

  parties = {
    alice = {
      app_image = "model-server"
      replicas  = 2
      update_strategy = {
        max_surge       = "30%"
        max_unavailable = "30%"
      }
      containers = {
        server = {
          requests = { cpu = "100m", memory = "100Mi" }
          limits   = { cpu = "100m", memory = "100Mi" }
        }
      }
    }
    bob = { app_image = "model-server" }
  }
}
