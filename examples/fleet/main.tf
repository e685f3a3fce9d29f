variable "servings" {
  description = "The servings, keyed by serving_id."
  type = map(object({
    model   = string
    parties = map(object({ replicas = optional(number, 1) })) # by domain
  }))
}

# The app image is created once, by another configuration with its own state.
data "kuscia_app_image" "serving" {
  name = "scores"
}

resource "kuscia_serving" "all" {
  for_each = var.servings

  serving_id           = each.key
  initiator            = "alice"
  serving_input_config = jsonencode({ modelId = each.value.model })

  parties = {
    for domain, party in each.value.parties : domain => {
      app_image = data.kuscia_app_image.serving.name
      replicas  = party.replicas
    }
  }
}

# Reads the status of all servings with one data source.
data "kuscia_serving_status" "all" {
  serving_ids = [for serving in kuscia_serving.all : serving.serving_id]

  depends_on = [kuscia_serving.all]
}

output "not_available" {
  description = "Servings with a party that is not running, with Kuscia's reason."
  value = {
    for id, serving in data.kuscia_serving_status.all.servings :
    id => "${serving.state}: ${serving.reason} ${serving.message}"
    if serving.state != "Available"
  }
}
