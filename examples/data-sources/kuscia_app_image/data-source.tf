# An app image that others maintain.
data "kuscia_app_image" "serving" {
  name = "secretflow-serving-image"
}

output "serving_tag" {
  value = data.kuscia_app_image.serving.image.tag
}
