data "kuscia_app_images" "all" {}

# The image tag of each app image.
output "tags" {
  value = { for app_image in data.kuscia_app_images.all.app_images : app_image.name => app_image.image.tag }
}
