resource "kuscia_serving" "glm" {
  serving_id = "glm"
  initiator  = "alice"

  serving_input_config = jsonencode({
    partyConfigs = {
      alice = { modelConfig = { modelId = "glm-1", sourcePath = "models/alice/glm.tar.gz", sourceType = "ST_FILE" } }
      bob   = { modelConfig = { modelId = "glm-1", sourcePath = "models/bob/glm.tar.gz", sourceType = "ST_FILE" } }
    }
  })

  parties = {
    alice = {
      app_image       = kuscia_app_image.serving.name
      replicas        = 2
      update_strategy = { type = "RollingUpdate", max_surge = "1", max_unavailable = "0" }
      resources       = { min_cpu = "0.5", max_cpu = "2", min_memory = "1Gi", max_memory = "2Gi" }
    }
    bob = { app_image = kuscia_app_image.serving.name }
  }
}
