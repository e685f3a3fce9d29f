# The Deployment of the serving glm in the domain alice gets new images step by
# step: one pod, half of them, all. Each step waits for an approval, the second
# one ten minutes instead.
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

# With an extra Deployment for the new version until the release ends, so that
# the pods of before stay.
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
