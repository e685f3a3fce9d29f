variable "tag" {
  description = "Tag of the container image."
  type        = string
  default     = "0.8.0b0"
}

variable "wait_for_rollout" {
  description = "Whether apply waits until the serving is available."
  type        = bool
  default     = true
}

resource "kuscia_app_image" "serving" {
  name  = "secretflow-serving"
  image = { name = "secretflow/serving-anolis8", tag = var.tag }

  deploy_templates = [
    {
      name = "secretflow"
      containers = [
        {
          name    = "secretflow"
          command = ["./secretflow_serving", "--flagfile=conf/gflags.conf"]
          ports   = [{ name = "service", protocol = "HTTP", scope = "Domain" }]
        },
      ]
    },
  ]
}

resource "kuscia_serving" "glm" {
  serving_id           = "glm"
  initiator            = "alice"
  serving_input_config = jsonencode({ modelId = "glm-1" })
  wait_for_rollout     = var.wait_for_rollout

  parties = {
    for domain in ["alice", "bob"] : domain => { app_image = kuscia_app_image.serving.name }
  }
}
