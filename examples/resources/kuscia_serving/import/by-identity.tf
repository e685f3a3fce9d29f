import {
  to = kuscia_serving.glm
  identity = {
    serving_id = "glm"
  }
}
