variable "approved_step" {
  description = "Step of the release to approve: 1, then 2, and so on."
  type        = number
  default     = 1
}

# Approves the step at which a release of this Rollout is paused. The release
# then continues with the next step.
resource "kuscia_rollout_approval" "xgb" {
  namespace = "alice"
  name      = "xgb"
  step      = var.approved_step
}
