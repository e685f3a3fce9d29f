# A serving of SecretFlow-Serving whose parties all run the same image, each with guaranteed CPU and
# memory.
resource "kuscia_app_image" "this" {
  name  = "${var.name}-image"
  image = var.image

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
          command     = ["sh", "-c", "./secretflow_serving --flagfile=conf/gflags.conf --config_mode=kuscia --serving_config_file=/etc/kuscia/serving-config.conf"]

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

resource "kuscia_serving" "this" {
  serving_id = var.name
  initiator  = var.initiator

  serving_input_config = jsonencode({
    partyConfigs = { for domain in keys(var.parties) : domain => { modelConfig = var.model } }
  })

  parties = {
    for domain, party in var.parties : domain => {
      app_image = kuscia_app_image.this.name
      replicas  = party.replicas
      resources = { min_cpu = party.cpu, max_cpu = party.cpu, min_memory = party.memory, max_memory = party.memory }
    }
  }
}
