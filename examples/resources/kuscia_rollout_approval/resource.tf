variable "approved_step" {
  description = "The step of the release that may go on: 1, then 2, and so on."
  type        = number
  default     = 1
}

# A release of this Rollout is paused at the step, and goes on to the next one.
resource "kuscia_rollout_approval" "xgb" {
  namespace = "alice"
  name      = "xgb"
  step      = var.approved_step
}
