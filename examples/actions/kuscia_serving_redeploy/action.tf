# Invoke manually: terraform apply -invoke=action.kuscia_serving_redeploy.glm
action "kuscia_serving_redeploy" "glm" {
  config {
    # A literal ID: with a reference to kuscia_serving.glm, the app image that
    # triggers the action would depend on the serving that uses it.
    serving_id = "glm"
    timeouts   = { invoke = "30m" }
  }
}

# Or invoke it after every change of the app image, for a serving that does not follow
# it. It is an application of your own here, not SecretFlow-Serving.
resource "kuscia_app_image" "glm" {
  name  = "glm"
  image = { name = "example/model-server", tag = "1.0" }

  deploy_templates = [
    {
      name       = "server"
      containers = [{ name = "server", ports = [{ name = "service", scope = "Domain" }] }]
    },
  ]

  lifecycle {
    action_trigger {
      events  = [after_update]
      actions = [action.kuscia_serving_redeploy.glm]
    }
  }
}

resource "kuscia_serving" "glm" {
  serving_id           = "glm"
  initiator            = "alice"
  serving_input_config = jsonencode({})
  follow_app_image     = false

  parties = {
    alice = { app_image = kuscia_app_image.glm.name }
    bob   = { app_image = kuscia_app_image.glm.name }
  }
}
