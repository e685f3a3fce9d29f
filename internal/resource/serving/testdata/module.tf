variable "name" {
  type = string
}

variable "domains" {
  type = list(string)
}

variable "replicas" {
  type    = number
  default = null
}

variable "resources" {
  type = object({
    min_cpu    = optional(string)
    max_cpu    = optional(string)
    min_memory = optional(string)
    max_memory = optional(string)
  })
  default = null
}

resource "kuscia_app_image" "this" {
  name  = "${var.name}-image"
  image = { name = "secretflow/serving-anolis8", tag = "0.2.0b0" }
  deploy_templates = [{
    name = "secretflow"
    containers = [{
      name  = "secretflow"
      ports = [{ name = "service", scope = "Domain" }]
    }]
  }]
}

resource "kuscia_serving" "this" {
  serving_id           = var.name
  initiator            = var.domains[0]
  serving_input_config = jsonencode({ name = var.name })
  parties = { for domain in var.domains : domain => {
    app_image = kuscia_app_image.this.name
    replicas  = var.replicas
    resources = var.resources
  } }
}

output "endpoints" {
  value = kuscia_serving.this.endpoints
}
