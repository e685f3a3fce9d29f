# An application of your own, whose configuration text has a format of its own.
resource "kuscia_app_image" "serving" {
  # Each version has its own app image.
  name  = "model-server-${var.tag}"
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

  # The new app image is created before the serving uses it, and the old one is
  # deleted when no serving uses it any more.
  lifecycle {
    create_before_destroy = true
  }
}
