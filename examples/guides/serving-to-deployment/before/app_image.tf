# An application of your own, whose configuration text has a format of its own.
resource "kuscia_app_image" "glm" {
  name  = "glm-image"
  image = { name = "example/model-server", tag = "1.0" }

  deploy_templates = [{
    name       = "server"
    containers = [{ name = "server", ports = [{ name = "service", protocol = "HTTP", scope = "Domain" }] }]
  }]
}
