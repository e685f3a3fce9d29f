import {
  to = kuscia_serving.glm
  id = "glm"
}
