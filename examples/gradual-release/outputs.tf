data "kuscia_rollout" "scores" {
  namespace  = local.domain
  name       = local.name
  depends_on = [kuscia_serving.scores]
}

output "release" {
  value = data.kuscia_rollout.scores.awaits_approval ? "step ${data.kuscia_rollout.scores.current_step_index} waits for an approval" : data.kuscia_rollout.scores.state
}
