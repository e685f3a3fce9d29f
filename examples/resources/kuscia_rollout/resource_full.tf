# Runs the new version in an additional canary Deployment until the release
# ends. The stable pods keep running in the meantime.
resource "kuscia_rollout" "glm_bob" {
  namespace    = "bob"
  name         = "glm"
  workload_ref = { name = "glm" }

  canary = {
    enable_extra_workload_for_canary = true
    patch_pod_template_metadata      = { labels = { track = "canary" } }

    steps = [
      { replicas = "25%" },
      { replicas = "100%" },
    ]
  }
}
