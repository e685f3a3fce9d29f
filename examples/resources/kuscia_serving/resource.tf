resource "kuscia_serving" "glm" {
  serving_id = "glm"
  initiator  = "alice"

  # Passed to the application unchanged. The format depends on the application.
  serving_input_config = jsonencode({
    partyConfigs = {
      alice = { modelConfig = { modelId = "glm-1", basePath = "/tmp/alice", sourcePath = "models/alice/glm.tar.gz", sourceType = "ST_FILE" } }
      bob   = { modelConfig = { modelId = "glm-1", basePath = "/tmp/bob", sourcePath = "models/bob/glm.tar.gz", sourceType = "ST_FILE" } }
    }
  })

  parties = [
    {
      domain_id = "alice"
      app_image = kuscia_app_image.serving.name
      replicas  = 2

      update_strategy = {
        type            = "RollingUpdate"
        max_surge       = "25%"
        max_unavailable = "25%"
      }

      resources = [
        {
          container_name = "secretflow"
          min_cpu        = "500m"
          max_cpu        = "2"
          min_memory     = "1Gi"
          max_memory     = "2Gi"
        },
      ]
    },
    {
      domain_id = "bob"
      app_image = kuscia_app_image.serving.name
    },
  ]

  # Kuscia does not watch app images. This trigger applies a new tag to the
  # serving.
  redeploy_triggers = {
    image = kuscia_app_image.serving.rollout_revision
  }

  timeouts = {
    create = "30m"
    update = "30m"
  }
}

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
