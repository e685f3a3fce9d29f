# An app image that is managed elsewhere.
data "kuscia_app_image" "serving" {
  name = "secretflow-serving-image"
}

output "serving_tag" {
  value = data.kuscia_app_image.serving.image.tag
}
