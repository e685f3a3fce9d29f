import {
  to = kuscia_app_image.serving
  id = "secretflow-serving"
}
