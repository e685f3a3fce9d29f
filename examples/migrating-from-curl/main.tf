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

resource "kuscia_serving" "glm" {
  serving_id = "glm"
  initiator  = "alice"

  serving_input_config = jsonencode({
    partyConfigs = {
      alice = { modelConfig = { modelId = "glm-1", sourcePath = "models/alice/glm.tar.gz" } }
      bob   = { modelConfig = { modelId = "glm-1", sourcePath = "models/bob/glm.tar.gz" } }
    }
  })

  parties = [
    {
      domain_id       = "alice"
      app_image       = kuscia_app_image.serving.name
      replicas        = 2
      update_strategy = { type = "RollingUpdate", max_surge = "1", max_unavailable = "0" }
      resources       = [{ min_cpu = "0.5", max_cpu = "2", min_memory = "1Gi", max_memory = "2Gi" }]
    },
    {
      domain_id = "bob"
      app_image = kuscia_app_image.serving.name
    },
  ]
}
