# SecretFlow-Serving, for every source of models and features.
resource "kuscia_app_image" "serving" {
  name  = "secretflow-serving-${replace(var.image_tag, ".", "-")}"
  image = { name = "secretflow/serving-anolis8", tag = var.image_tag }

  # Kuscia's agent puts a text in place of each key, and mounts the result as a file. The last
  # three come from the configuration of the party's own domain; without it they are empty.
  config_templates = {
    "serving-config.conf" = jsonencode({
      serving_id       = "{{.SERVING_ID}}"
      input_config     = "{{.INPUT_CONFIG}}"
      cluster_def      = "{{.CLUSTER_DEFINE}}"
      allocated_ports  = "{{.ALLOCATED_PORTS}}"
      oss_meta         = "{{.SERVING_OSS_META}}"
      spi_tls_config   = "{{.SERVING_SPI_TLS_CONFIG}}"
      http_source_meta = "{{.SERVING_HTTP_SOURCE_META}}"
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
            "sh", "-c",
            "./secretflow_serving --flagfile=conf/gflags.conf --config_mode=kuscia --serving_config_file=/etc/kuscia/serving-config.conf",
          ]

          config_volume_mounts = [
            { mount_path = "/etc/kuscia/serving-config.conf", sub_path = "serving-config.conf" },
          ]

          # The names are those that SecretFlow-Serving looks for. Kuscia allocates the numbers.
          ports = [
            { name = "service", protocol = "HTTP", scope = "Domain" },        # predictions
            { name = "communication", protocol = "HTTP", scope = "Cluster" }, # between the parties
            { name = "internal", protocol = "HTTP", scope = "Domain" },       # metrics
            { name = "brpc-builtin", protocol = "HTTP", scope = "Domain" },   # health
          ]

          # The server answers once its model is loaded.
          startup_probe = {
            http_get          = { path = "/health", port = "brpc-builtin" }
            period_seconds    = 10
            failure_threshold = 30
          }
          readiness_probe = { http_get = { path = "/health", port = "brpc-builtin" } }
          liveness_probe  = { http_get = { path = "/health", port = "brpc-builtin" } }
        },
      ]
    },
  ]

  # The serving moves to the new one before the old one goes.
  lifecycle {
    create_before_destroy = true
  }
}
