# App images of one container each, from one variable.
variable "app_images" {
  description = "Image and container of each app image, by its name."
  type = map(object({
    image     = string
    tag       = string
    container = optional(string, "main")
  }))
}

resource "kuscia_app_image" "each" {
  for_each = var.app_images

  name  = each.key
  image = { name = each.value.image, tag = each.value.tag }

  deploy_templates = [{
    name = "app"
    containers = [{
      name = each.value.container

      ports = [
        { name = "service", protocol = "HTTP", scope = "Domain" },
        { name = "communication", protocol = "HTTP", scope = "Cluster" },
      ]
    }]
  }]
}
