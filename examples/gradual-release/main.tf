variable "app_image" {
  description = "App image of the pods."
  type        = string
  default     = "scores-1"
}

# The approval names the image, so that it does not apply to another one, to which
# the pods are rolled back, or which is next.
variable "approved" {
  description = "App image that is released, and the step of its release to approve; null for none."
  type        = object({ app_image = string, step = number })
  default     = null
}

locals {
  name   = "scores"
  domain = "alice"
}

# A release in three steps: one pod, half of the pods, all pods. The name of the
# Deployment is a literal, not a reference, so that the Rollout is created first
# and the serving, with every new image, after it.
resource "kuscia_rollout" "scores" {
  namespace    = local.domain
  name         = local.name
  workload_ref = { name = local.name }

  canary = {
    steps = [
      { replicas = "1" },
      { replicas = "50%" },
      { replicas = "100%" },
    ]
  }
}

resource "kuscia_serving" "scores" {
  serving_id           = local.name
  initiator            = local.domain
  serving_input_config = "{}"
  parties              = { (local.domain) = { app_image = var.app_image, replicas = 4 } }

  depends_on = [kuscia_rollout.scores, kuscia_rollout_approval.scores]
}

# Each apply with a higher step approves that step. The serving is read
# afterwards and shows the progress of the release.
resource "kuscia_rollout_approval" "scores" {
  count = try(var.approved.app_image == var.app_image, false) ? 1 : 0

  namespace = local.domain
  name      = local.name
  step      = var.approved.step
  triggers  = { app_image = var.app_image }

  depends_on = [kuscia_rollout.scores]
}
