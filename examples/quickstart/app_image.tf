# The application, SecretFlow-Serving, and how Kuscia starts it.
resource "kuscia_app_image" "serving" {
  name = "secretflow-serving-image"

  image = {
    name = "secretflow/serving-anolis8"
    tag  = "0.8.0b0"
  }

  # Kuscia substitutes the {{.NAMES}} and mounts the result as a file.
  config_templates = {
    "serving-config.conf" = jsonencode({
      serving_id      = "{{.SERVING_ID}}"
      input_config    = "{{.INPUT_CONFIG}}"
      cluster_def     = "{{.CLUSTER_DEFINE}}"
      allocated_ports = "{{.ALLOCATED_PORTS}}"
    })
  }

  deploy_templates = [
    {
      name = "secretflow"

      containers = [
        {
          name        = "secretflow"
          working_dir = "/root/sf_serving"
          command = [
            "sh",
            "-c",
            "./secretflow_serving --flagfile=conf/gflags.conf --config_mode=kuscia --serving_config_file=/etc/kuscia/serving-config.conf",
          ]

          config_volume_mounts = [
            { mount_path = "/etc/kuscia/serving-config.conf", sub_path = "serving-config.conf" },
          ]

          # Kuscia allocates the port numbers.
          ports = [
            { name = "service", protocol = "HTTP", scope = "Cluster" },
            { name = "communication", protocol = "HTTP", scope = "Cluster" },
            { name = "internal", protocol = "HTTP", scope = "Domain" },
            { name = "brpc-builtin", protocol = "HTTP", scope = "Domain" },
          ]

          # Probes refer to ports by name, because Kuscia allocates the port
          # numbers.
          readiness_probe = {
            http_get = { path = "/health", port = "brpc-builtin" }
          }
        },
      ]
    },
  ]
}
