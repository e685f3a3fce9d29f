# Manually approve the step at which the release is paused:
#   terraform apply -invoke=action.kuscia_rollout_approve.next
action "kuscia_rollout_approve" "next" {
  config {
    namespace = "alice"
    name      = "fraud"
  }
}

# Skip from the first step to the third.
action "kuscia_rollout_approve" "to_the_end" {
  config {
    namespace = "alice"
    name      = "fraud"
    step      = 1
    to_step   = 3
    timeouts  = { invoke = "30m" }
  }
}
