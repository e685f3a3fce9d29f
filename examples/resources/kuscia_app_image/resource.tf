resource "kuscia_app_image" "scores" {
  name  = "scores"
  image = { name = "registry.example/scores", tag = "1.0.0" }

  # A single template without a role applies to every party.
  deploy_templates = [{
    name = "scores"
    containers = [{
      name    = "server"
      command = ["/app/server"]
      ports   = [{ name = "service", protocol = "HTTP", scope = "Domain" }]
    }]
  }]
}
