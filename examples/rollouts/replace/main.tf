resource "kuscia_serving" "glm" {
  serving_id           = "glm"
  initiator            = "alice"
  serving_input_config = jsonencode({ modelId = "glm-1" })

  parties = {
    for domain in ["alice", "bob"] : domain => { app_image = kuscia_app_image.serving.name, replicas = 2 }
  }

  # A new command, port, probe or template takes effect only in a new serving.
  replace_triggers = {
    definition = kuscia_app_image.serving.definition_revision
  }
}
