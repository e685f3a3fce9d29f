# Set it to null again in the apply that rolls the image back, or changes it for the
# next release: that one is not paused yet.
variable "approved" {
  description = "Image that is released, and the step of its release to approve: 1, then 2, and so on; null for none."
  type        = object({ image = string, step = number })
  default     = null
}

# Approves the step at which a release of this Rollout is paused. The release
# then continues with the next step.
resource "kuscia_rollout_approval" "xgb" {
  count = var.approved == null ? 0 : 1

  namespace = "alice"
  name      = "xgb"
  step      = var.approved.step
  triggers  = { image = var.approved.image }
}
