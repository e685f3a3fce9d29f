resource "kuscia_deployment" "scores" {
  name      = "scores"
  initiator = "alice"

  # Passed to the application unchanged. The format depends on the application.
  input_config = jsonencode({ modelId = "scores-1" })

  # The keys are domains.
  parties = {
    alice = { app_image = "model-server" }
    bob   = { app_image = "model-server" }
  }
}
