import {
  to = kuscia_rollout.glm
  identity = {
    namespace = "alice"
    name      = "glm"
  }
}
