provider "kuscia" {
  endpoint       = "http://kuscia.example:8082"
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
