locals {
  # For every container of the app image.
  resources = {
    min_cpu    = "0.1"
    max_cpu    = var.larger_resources ? "3" : "2"
    min_memory = "100Mi"
    max_memory = var.larger_resources ? "3Gi" : "2Gi"
  }
}

# A model that alice and bob serve together. Each of them has some of the
# features.
resource "kuscia_serving" "glm" {
  serving_id = "serving-1"
  initiator  = "alice"

  serving_input_config = jsonencode({
    partyConfigs = {
      alice = {
        serverConfig = {
          featureMapping = {
            v21 = "x21"
            v22 = "x22"
          }
        }
        modelConfig = {
          modelId    = "glm-test-1"
          basePath   = "/tmp/alice"
          sourcePath = "examples/alice/glm-test.tar.gz"
          sourceType = "ST_FILE"
        }
        featureSourceConfig = { mockOpts = {} }
        channelDesc         = { protocol = "http" }
      }
      bob = {
        serverConfig = {
          featureMapping = {
            v6 = "x6"
            v7 = "x7"
          }
        }
        modelConfig = {
          modelId    = "glm-test-1"
          basePath   = "/tmp/bob"
          sourcePath = "examples/bob/glm-test.tar.gz"
          sourceType = "ST_FILE"
        }
        featureSourceConfig = { mockOpts = {} }
        channelDesc         = { protocol = "http" }
      }
    }
  })

  parties = {
    alice = {
      app_image = kuscia_app_image.serving.name
      replicas  = 1
      resources = local.resources

      update_strategy = {
        type            = "RollingUpdate"
        max_surge       = "25%"
        max_unavailable = "25%"
      }
    }
    bob = {
      app_image = kuscia_app_image.serving.name
      replicas  = 1
      resources = local.resources
    }
  }
}

# The status of the serving, read after it is created or updated.
data "kuscia_serving_status" "glm" {
  serving_ids = [kuscia_serving.glm.serving_id]

  depends_on = [kuscia_serving.glm]
}
