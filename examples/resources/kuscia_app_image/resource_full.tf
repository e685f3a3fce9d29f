resource "kuscia_app_image" "serving" {
  name = "secretflow-serving"

  image = {
    name = "secretflow/serving-anolis8"
    tag  = "0.8.0b0"
  }

  # Files for the containers. Kuscia substitutes the {{.NAMES}}.
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
      name           = "secretflow"
      restart_policy = "Always"

      containers = [
        {
          name        = "secretflow"
          working_dir = "/root/sf_serving"
          command     = ["sh", "-c"]
          args        = ["./secretflow_serving --flagfile=conf/gflags.conf --config_mode=kuscia --serving_config_file=/etc/kuscia/serving-config.conf"]

          config_volume_mounts = [
            { mount_path = "/etc/kuscia/serving-config.conf", sub_path = "serving-config.conf" },
          ]

          # Kuscia allocates the port numbers. Scope Domain is reachable inside
          # the domain, Cluster from other domains as well.
          ports = [
            { name = "service", protocol = "HTTP", scope = "Domain" },
            { name = "communication", protocol = "HTTP", scope = "Cluster" },
            { name = "internal", protocol = "HTTP", scope = "Domain" },
            { name = "brpc-builtin", protocol = "HTTP", scope = "Domain" },
          ]

          env = [
            { name = "LOG_LEVEL", value = "info" },
          ]

          resources = {
            requests = { cpu = "500m", memory = "1Gi" }
            limits   = { cpu = "2", memory = "2Gi" }
          }

          readiness_probe = {
            http_get       = { path = "/health", port = "brpc-builtin" }
            period_seconds = 5
          }
          startup_probe = {
            http_get          = { path = "/health", port = "brpc-builtin" }
            failure_threshold = 30
            period_seconds    = 10
          }
        },
      ]
    },
  ]
}
