provider "kuscia" {
  adopt_existing = true
}

resource "kuscia_app_image" "app" {
  name  = "app"
  image = { name = "example/app", tag = "1" }
  deploy_templates = [{
    name       = "app"
    containers = [{ name = "app" }]
  }]
}
