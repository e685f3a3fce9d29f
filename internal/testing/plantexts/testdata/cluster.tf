resource "kuscia_traffic_routing" "gray" {
  namespace  = "alice"
  name       = "gray"
  object_ref = [{ service = "gray-service", ingress = { name = "gray" } }]
  strategy   = { matches = [{ headers = [{ name = "User-Agent", value = "Android" }] }] }
}

resource "kuscia_rollout" "scores" {
  namespace    = "alice"
  name         = "scores"
  workload_ref = { name = "scores" }
  canary = {
    steps = [{ replicas = "50%" }, { replicas = "100%" }]
  }
}

resource "kuscia_deployment" "scores" {
  name         = "scores"
  initiator    = "alice"
  input_config = jsonencode({ model = "credit" })
  parties = {
    alice = { app_image = "scores-1", replicas = 2 }
    bob   = { app_image = "scores-1", replicas = 1 }
  }
  depends_on = [kuscia_rollout.scores]
}
