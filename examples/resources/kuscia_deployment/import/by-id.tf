import {
  to = kuscia_deployment.glm
  id = "glm"
}
