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
