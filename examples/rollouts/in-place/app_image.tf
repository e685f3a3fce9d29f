# An application of your own, whose configuration text has a format of its own.
resource "kuscia_app_image" "serving" {
  name  = "model-server"
  image = { name = "example/model-server", tag = var.tag }

  deploy_templates = [
    {
      name = "server"
      containers = [
        {
          name    = "server"
          command = ["/app/server"]
          ports = [
            { name = "service", protocol = "HTTP", scope = "Domain" },
            { name = "communication", protocol = "HTTP", scope = "Cluster" },
          ]
        },
      ]
    },
  ]
}
