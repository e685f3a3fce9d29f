# Approve the step at which the release is paused, by hand:
#   terraform apply -invoke=action.kuscia_rollout_approve.next
action "kuscia_rollout_approve" "next" {
  config {
    namespace = "alice"
    name      = "fraud"
  }
}

# Go from the first step to the third at once.
action "kuscia_rollout_approve" "to_the_end" {
  config {
    namespace = "alice"
    name      = "fraud"
    step      = 1
    to_step   = 3
    timeouts  = { invoke = "30m" }
  }
}
