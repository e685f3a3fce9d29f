resource "kuscia_serving" "scores" {
  serving_id = "scores"
  initiator  = "alice"

  # Passed to the application unchanged. The format depends on the application.
  serving_input_config = jsonencode({ modelId = "scores-1" })

  # The keys are domains.
  parties = {
    alice = { app_image = kuscia_app_image.serving.name }
    bob   = { app_image = kuscia_app_image.serving.name }
  }
}
