resource "kuscia_app_image" "serving" {
  name  = "secretflow-serving"
  image = { name = "secretflow/serving-anolis8", tag = "0.8.0b0" }

  # Kuscia substitutes the {{.NAMES}}.
  config_templates = {
    "serving-config.conf" = jsonencode({
      serving_id      = "{{.SERVING_ID}}"
      input_config    = "{{.INPUT_CONFIG}}"
      cluster_def     = "{{.CLUSTER_DEFINE}}"
      allocated_ports = "{{.ALLOCATED_PORTS}}"
    })
  }

  deploy_templates = [{
    name = "secretflow"
    containers = [{
      name    = "secretflow"
      command = ["./secretflow_serving", "--flagfile=conf/gflags.conf", "--config_mode=kuscia", "--serving_config_file=/etc/kuscia/serving-config.conf"]
      config_volume_mounts = [
        { mount_path = "/etc/kuscia/serving-config.conf", sub_path = "serving-config.conf" },
      ]
      ports = [
        { name = "service", protocol = "HTTP", scope = "Domain" },
        { name = "communication", protocol = "HTTP", scope = "Cluster" },
      ]
    }]
  }]
}

resource "kuscia_serving" "credit" {
  serving_id = "credit"
  initiator  = "alice"
  serving_input_config = jsonencode({
    partyConfigs = {
      alice = { modelConfig = { modelId = "credit-1", sourcePath = "models/alice/credit-1.tar.gz", sourceType = "ST_FILE" } }
      bob   = { modelConfig = { modelId = "credit-1", sourcePath = "models/bob/credit-1.tar.gz", sourceType = "ST_FILE" } }
    }
  })
  parties = {
    for domain in ["alice", "bob"] : domain => { app_image = kuscia_app_image.serving.name, replicas = 2 }
  }
}
