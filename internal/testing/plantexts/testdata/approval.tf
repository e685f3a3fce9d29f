
resource "kuscia_rollout_approval" "scores" {
  namespace = kuscia_rollout.scores.namespace
  name      = kuscia_rollout.scores.name
  step      = 1
}
