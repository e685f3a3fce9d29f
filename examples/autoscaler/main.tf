resource "kuscia_serving" "glm" {
  serving_id           = "glm"
  initiator            = "alice"
  serving_input_config = jsonencode({ modelId = "glm-1" })

  # The initial number of replicas. The autoscaler changes it afterwards.
  parties = {
    alice = { app_image = "scores", replicas = 2 }
    bob   = { app_image = "scores", replicas = 2 }
  }

  lifecycle {
    ignore_changes = [parties["alice"].replicas, parties["bob"].replicas]
  }
}
