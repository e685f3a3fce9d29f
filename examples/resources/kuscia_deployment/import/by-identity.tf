import {
  to = kuscia_deployment.glm
  identity = {
    name = "glm"
  }
}
