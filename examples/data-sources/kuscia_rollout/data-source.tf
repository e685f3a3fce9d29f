data "kuscia_rollout" "credit" {
  namespace = "alice"
  name      = "credit"
}

output "release" {
  value = data.kuscia_rollout.credit.awaits_approval ? "step ${data.kuscia_rollout.credit.current_step_index} waits for an approval" : data.kuscia_rollout.credit.state
}
