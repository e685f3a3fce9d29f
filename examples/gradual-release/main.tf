variable "app_image" {
  description = "The app image that the pods run."
  type        = string
  default     = "scores-1"
}

variable "approved_step" {
  description = "The step of the release that may go on; null for none."
  type        = number
  default     = null
}

locals {
  name   = "scores"
  domain = "alice"
}

# One pod, half of them, all. The name of the Deployment is written as text, so
# that the Rollout comes first and the deployment, with every new image, after it.
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

resource "kuscia_deployment" "scores" {
  name         = local.name
  initiator    = local.domain
  input_config = "{}"
  parties      = [{ domain_id = local.domain, app_image = var.app_image, replicas = 4 }]

  depends_on = [kuscia_rollout.scores, kuscia_rollout_approval.scores]
}

# Each apply with a higher step approves it, and the deployment then sees how far
# the release has come.
resource "kuscia_rollout_approval" "scores" {
  count = var.approved_step == null ? 0 : 1

  namespace = local.domain
  name      = local.name
  step      = var.approved_step
  triggers  = { app_image = var.app_image }

  depends_on = [kuscia_rollout.scores]
}

data "kuscia_rollout" "scores" {
  namespace  = local.domain
  name       = local.name
  depends_on = [kuscia_deployment.scores]
}

output "release" {
  value = data.kuscia_rollout.scores.awaits_approval ? "step ${data.kuscia_rollout.scores.current_step_index} waits for an approval" : data.kuscia_rollout.scores.state
}
