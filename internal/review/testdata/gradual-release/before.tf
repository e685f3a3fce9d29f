variable "image" {
  default = "scores-1"
}

resource "kuscia_rollout" "scores" {
  namespace    = "alice"
  name         = "scores"
  workload_ref = { name = "scores" }
  canary       = { steps = [{ replicas = "1" }, { replicas = "50%" }, { replicas = "100%" }] }
}

resource "kuscia_deployment" "scores" {
  name         = "scores"
  initiator    = "alice"
  input_config = jsonencode({ modelId = "scores" })
  parties      = { alice = { app_image = var.image, replicas = 4 } }
  depends_on   = [kuscia_rollout.scores]
}
