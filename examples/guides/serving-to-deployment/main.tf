# Removes the serving from the state, and imports the KusciaDeployment behind
# it.
removed {
  from = kuscia_serving.glm

  lifecycle {
    destroy = false
  }
}

import {
  to = kuscia_deployment.glm
  id = "glm"
}

resource "kuscia_deployment" "glm" {
  name         = "glm"
  initiator    = "alice"
  labels       = { "kuscia.secretflow/app-type" = "serving" }
  input_config = jsonencode({ modelId = "glm-1" })

  parties = {
    for domain in ["alice", "bob"] : domain => {
      app_image       = "glm-image"
      replicas        = 2
      update_strategy = {} # that of a serving without one
    }
  }

  # Takes over the fields, which were written through the KusciaAPI.
  force_conflicts = true
}
