resource "kuscia_serving" "glm" {
  serving_id           = "glm"
  initiator            = "alice"
  serving_input_config = jsonencode({ modelId = "glm-1" })

  parties = [
    for domain in ["alice", "bob"] : { domain_id = domain, app_image = kuscia_app_image.serving.name, replicas = 2 }
  ]

  # Kuscia does not watch app images. This trigger makes it read the app image
  # again.
  redeploy_triggers = {
    image = kuscia_app_image.serving.rollout_revision
  }
}
