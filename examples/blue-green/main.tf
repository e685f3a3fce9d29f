# Each color is a serving of its own, with its own app image.
variable "colors" {
  description = "The tag of each color that exists."
  type        = map(string)
  default     = { blue = "1.0" }
}

variable "active" {
  description = "The color that clients use."
  type        = string
  default     = "blue"

  validation {
    condition     = contains(keys(var.colors), var.active)
    error_message = "The active color must be one of colors."
  }
}

# An application of your own, whose configuration text has a format of its own.
resource "kuscia_app_image" "scores" {
  for_each = var.colors

  name  = "scores-${each.key}"
  image = { name = "example/model-server", tag = each.value }

  deploy_templates = [{
    name = "server"
    containers = [{
      name    = "server"
      command = ["/app/server"]
      ports   = [{ name = "service", protocol = "HTTP", scope = "Domain" }]
    }]
  }]
}

resource "kuscia_serving" "scores" {
  for_each = var.colors

  serving_id           = "scores-${each.key}"
  initiator            = "alice"
  serving_input_config = jsonencode({ modelId = "scores-${each.value}" })

  parties = {
    for domain in ["alice", "bob"] : domain => {
      app_image = kuscia_app_image.scores[each.key].name
      replicas  = 2
    }
  }
}

# What a client, a gateway or a DNS record reads. It changes only when the
# active color does.
output "active" {
  description = "Address of the active serving at alice."
  value       = kuscia_serving.scores[var.active].endpoints["alice/service"]
}
