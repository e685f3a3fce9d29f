resource "kuscia_serving" "glm" {
  serving_id           = "glm"
  initiator            = "alice"
  serving_input_config = jsonencode({ modelId = "glm-1" })

  # The initial number of replicas. The autoscaler changes it afterwards.
  parties = [
    { domain_id = "alice", app_image = "secretflow-serving", replicas = 2 },
    { domain_id = "bob", app_image = "secretflow-serving", replicas = 2 },
  ]

  lifecycle {
    ignore_changes = [parties[0].replicas, parties[1].replicas]
  }
}
