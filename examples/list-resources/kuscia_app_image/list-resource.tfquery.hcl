# The app images of one application. To import them:
# terraform query -generate-config-out=app_images.tf
list "kuscia_app_image" "serving" {
  provider = kuscia
  limit    = 500

  config {
    name_prefix = "secretflow-"
    image_name  = "secretflow/serving-anolis8"
  }
}
