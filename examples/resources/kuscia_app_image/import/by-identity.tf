import {
  to = kuscia_app_image.serving
  identity = {
    name = "secretflow-serving"
  }
}
