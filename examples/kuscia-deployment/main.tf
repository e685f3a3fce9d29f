resource "kuscia_deployment" "psi" {
  name      = "psi"
  initiator = "alice"

  # Not stored in state or plan files. A new version means that the text
  # changed.
  input_config_wo         = jsonencode({ storage = { key = var.storage_key } })
  input_config_wo_version = 1

  parties = {
    for domain in ["alice", "bob"] : domain => {
      app_image = "psi-${var.tag}"
      # replicas is not set, so an autoscaler may change the number of pods.
      containers = {
        main = {
          requests = { cpu = "100m", memory = "128Mi" }
          limits   = { memory = "256Mi" }
        }
      }
    }
  }
}
