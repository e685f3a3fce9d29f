data "kuscia_rollout" "glm" {
  namespace = "alice"
  name      = "glm"
}

output "release" {
  value = data.kuscia_rollout.glm.awaits_approval ? "step ${data.kuscia_rollout.glm.current_step_index} waits for an approval" : data.kuscia_rollout.glm.state
}
