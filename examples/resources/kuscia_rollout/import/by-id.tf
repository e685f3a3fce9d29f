import {
  to = kuscia_rollout.glm
  id = "alice/glm"
}
