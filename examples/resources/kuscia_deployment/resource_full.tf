resource "kuscia_deployment" "glm" {
  name      = "glm"
  initiator = "alice"
  labels    = { "kuscia.secretflow/app-type" = "serving" }

  input_config = jsonencode({
    partyConfigs = {
      for party in ["alice", "bob"] : party => {
        modelConfig         = { modelId = "glm-test-1", basePath = "/tmp/${party}", sourceType = "ST_FILE", sourcePath = "examples/${party}/glm-test.tar.gz" }
        featureSourceConfig = { mockOpts = {} }
      }
    }
  })

  parties = {
    alice = {
      app_image = "secretflow-serving-image"
      replicas  = 2
      update_strategy = {
        max_surge       = "30%"
        max_unavailable = "30%"
      }
      containers = {
        secretflow = {
          requests = { cpu = "100m", memory = "100Mi" }
          limits   = { cpu = "100m", memory = "100Mi" }
        }
      }
    }
    bob = { app_image = "secretflow-serving-image" }
  }
}
