import {
  to = kuscia_app_image.serving
  id = "secretflow-serving"
}

import {
  to = kuscia_serving.glm
  id = "glm"
}
