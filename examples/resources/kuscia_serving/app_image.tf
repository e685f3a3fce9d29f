resource "kuscia_app_image" "serving" {
  name  = "serving"
  image = { name = "secretflow/serving-anolis8", tag = "0.8.0b0" }

  # Kuscia replaces the variables and mounts the file into the container.
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
          command     = ["./secretflow_serving", "--flagfile=conf/gflags.conf", "--config_mode=kuscia", "--serving_config_file=/etc/kuscia/serving-config.conf"]

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
