variable "replicas" {
  description = "Pods of each party."
  type        = number
  default     = 1
}

# An application of your own, whose configuration text has a format of its own.
resource "kuscia_app_image" "serving" {
  name  = "model-server"
  image = { name = "example/model-server", tag = "1.0" }

  deploy_templates = [{
    name = "server"
    containers = [{
      name    = "server"
      command = ["/app/server"]
      ports   = [{ name = "service", protocol = "HTTP", scope = "Domain" }]
    }]
  }]
}

resource "kuscia_serving" "glm" {
  serving_id           = "glm"
  initiator            = "alice"
  serving_input_config = jsonencode({ modelId = "glm-1" })

  parties = {
    for domain in ["alice", "bob"] : domain => { app_image = kuscia_app_image.serving.name, replicas = var.replicas }
  }
}
