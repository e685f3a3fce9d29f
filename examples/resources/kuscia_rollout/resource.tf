# Releases new images of the Deployment of serving glm in domain alice in three
# steps: one pod, half of the pods, all pods. Each step waits for an approval,
# except the second, which waits ten minutes.
resource "kuscia_rollout" "glm" {
  namespace    = "alice"
  name         = "glm"
  workload_ref = { name = "glm" }

  canary = {
    steps = [
      { replicas = "1" },
      { replicas = "50%", pause = { duration = 600 } },
      { replicas = "100%" },
    ]
  }
}

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
