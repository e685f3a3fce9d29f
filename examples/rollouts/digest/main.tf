variable "digest" {
  description = "Digest of the container image, without \"sha256:\"."
  type        = string
  default     = "9b2a5d7c0e4f1836a7c5e2d90b4f6183725ac0de9f1b3847a6d5c2e0f9b81734"
}

# An application of your own, whose configuration text has a format of its own.
resource "kuscia_app_image" "serving" {
  name = "model-server"

  # Kuscia joins name and tag with a colon: name@sha256:digest.
  image = {
    name = "example/model-server@sha256"
    tag  = var.digest
  }

  deploy_templates = [
    {
      name       = "server"
      containers = [{ name = "server", ports = [{ name = "service", protocol = "HTTP", scope = "Domain" }] }]
    },
  ]
}

resource "kuscia_serving" "glm" {
  serving_id           = "glm"
  initiator            = "alice"
  serving_input_config = jsonencode({ modelId = "glm-1" })

  parties = {
    for domain in ["alice", "bob"] : domain => { app_image = kuscia_app_image.serving.name }
  }
}
