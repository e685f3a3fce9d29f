resource "kuscia_app_image" "glm" {
  name  = "glm-image"
  image = { name = "secretflow/serving-anolis8", tag = "0.8.0b0" }

  deploy_templates = [{
    name       = "secretflow"
    containers = [{ name = "secretflow", ports = [{ name = "service", protocol = "HTTP", scope = "Domain" }] }]
  }]
}
