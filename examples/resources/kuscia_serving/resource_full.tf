resource "kuscia_serving" "glm" {
  serving_id = "glm"
  initiator  = "alice"

  serving_input_config = jsonencode({
    partyConfigs = {
      alice = { modelConfig = { modelId = "glm-1", basePath = "/tmp/alice", sourcePath = "models/alice/glm.tar.gz", sourceType = "ST_FILE" } }
      bob   = { modelConfig = { modelId = "glm-1", basePath = "/tmp/bob", sourcePath = "models/bob/glm.tar.gz", sourceType = "ST_FILE" } }
    }
  })

  # The app image is in examples/resources/kuscia_serving/app_image.tf of the provider's repository.
  parties = {
    alice = {
      app_image = kuscia_app_image.serving.name
      replicas  = 2

      update_strategy = {
        type            = "RollingUpdate"
        max_surge       = "25%"
        max_unavailable = "25%"
      }

      container_resources = {
        secretflow = {
          min_cpu    = "500m"
          max_cpu    = "2"
          min_memory = "1Gi"
          max_memory = "2Gi"
        }
      }
    }
    bob = {
      app_image = kuscia_app_image.serving.name
    }
  }

  timeouts = {
    create = "30m"
    update = "30m"
  }
}

# Known after the first apply.
output "alice_service" {
  value = kuscia_serving.glm.endpoints["alice/service"]
}
