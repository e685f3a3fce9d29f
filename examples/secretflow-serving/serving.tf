resource "kuscia_serving" "credit" {
  serving_id = "credit"
  initiator  = "alice"

  # Every party reads the whole text, and stops if it does not understand a part of another.
  serving_input_config = jsonencode({
    partyConfigs = {
      alice = local.alice
      bob   = local.bob
    }
    predictorParties = ["alice"]
  })

  parties = {
    for domain in ["alice", "bob"] : domain => {
      app_image = kuscia_app_image.serving.name
      replicas  = 1
    }
  }

  # Pods read the keys when they start, so new keys need new pods.
  redeploy_triggers = { alice_bucket_keys = kuscia_config.alice_bucket.value_wo_version }
}
