resource "kuscia_app_image" "serving" {
  name  = "secretflow-serving"
  image = { name = "secretflow/serving-anolis8", tag = "0.8.0b0" }

  # Files are compared byte by byte: this is the exact text of the request.
  config_templates = {
    "serving-config.conf" = "{\"serving_id\":\"{{.SERVING_ID}}\",\"input_config\":\"{{.INPUT_CONFIG}}\",\"cluster_def\":\"{{.CLUSTER_DEFINE}}\",\"allocated_ports\":\"{{.ALLOCATED_PORTS}}\"}"
  }

  deploy_templates = [
    {
      name           = "secretflow"
      restart_policy = "Always"

      containers = [
        {
          name        = "secretflow"
          command     = ["sh", "-c", "./secretflow_serving --flagfile=conf/gflags.conf --config_mode=kuscia --serving_config_file=/etc/kuscia/serving-config.conf"]
          working_dir = "/root/sf_serving"

          config_volume_mounts = [
            { mount_path = "/etc/kuscia/serving-config.conf", sub_path = "serving-config.conf" },
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
