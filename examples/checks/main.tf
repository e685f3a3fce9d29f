variable "tag" {
  description = "Tag of the container image."
  type        = string
  default     = "1.0"
}

variable "wait_for_rollout" {
  description = "Whether apply waits until the serving is available."
  type        = bool
  default     = true
}

# An application of your own, whose configuration text has a format of its own.
resource "kuscia_app_image" "serving" {
  name  = "model-server"
  image = { name = "example/model-server", tag = var.tag }

  deploy_templates = [
    {
      name = "server"
      containers = [
        {
          name    = "server"
          command = ["/app/server"]
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
