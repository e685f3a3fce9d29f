resource "kuscia_serving" "scores" {
  serving_id = "scores"
  initiator  = "alice"

  # Passed to the application unchanged. The format depends on the application: here it is
  # SecretFlow-Serving, which needs a part for each party.
  serving_input_config = jsonencode({
    partyConfigs = {
      for domain in ["alice", "bob"] : domain => {
        modelConfig = { modelId = "scores-1", basePath = "/tmp/${domain}", sourcePath = "models/${domain}/scores.tar.gz", sourceType = "ST_FILE" }
      }
    }
  })

  # The keys are domains. The app image is in examples/resources/kuscia_serving/app_image.tf of
  # the provider's repository.
  parties = {
    alice = { app_image = kuscia_app_image.serving.name }
    bob   = { app_image = kuscia_app_image.serving.name }
  }
}
