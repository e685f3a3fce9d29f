# An application of your own, whose configuration text has a format of its own.
resource "kuscia_app_image" "serving" {
  name  = "model-server"
  image = { name = "example/model-server", tag = "1.0" }

  config_templates = {
    "model-server.json" = jsonencode({
      config = "{{.INPUT_CONFIG}}"
      ports  = "{{.ALLOCATED_PORTS}}"
    })
  }

  deploy_templates = [
    {
      name = "server"
      containers = [
        {
          name    = "server"
          command = ["/app/server", "--config=/etc/kuscia/model-server.json"]

          config_volume_mounts = [
            { mount_path = "/etc/kuscia/model-server.json", sub_path = "model-server.json" },
          ]

          ports = [
            { name = "service", protocol = "HTTP", scope = "Domain" },
            { name = "communication", protocol = "HTTP", scope = "Cluster" },
          ]
        },
      ]
    },
  ]
}
