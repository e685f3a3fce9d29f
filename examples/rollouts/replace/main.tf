variable "command" {
  description = "Command of the container."
  type        = list(string)
  default     = ["./secretflow_serving", "--flagfile=conf/gflags.conf"]
}

resource "kuscia_app_image" "serving" {
  name  = "secretflow-serving"
  image = { name = "secretflow/serving-anolis8", tag = "0.8.0b0" }

  deploy_templates = [
    {
      name = "secretflow"
      containers = [
        {
          name        = "secretflow"
          working_dir = "/root/sf_serving"
          command     = var.command
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
  serving_id           = "glm"
  initiator            = "alice"
  serving_input_config = jsonencode({ modelId = "glm-1" })

  parties = [
    for domain in ["alice", "bob"] : { domain_id = domain, app_image = kuscia_app_image.serving.name, replicas = 2 }
  ]

  # A new tag rolls the pods.
  redeploy_triggers = {
    image = kuscia_app_image.serving.rollout_revision
  }

  # A new command, port, probe or template reaches only a new serving.
  lifecycle {
    replace_triggered_by = [kuscia_app_image.serving.definition_revision]
  }
}
