variable "servings" {
  description = "The servings, by serving_id."
  type = map(object({
    model   = string
    parties = map(object({ replicas = optional(number, 1) })) # by domain
  }))
}

# The app image is made once, in a state of its own.
data "kuscia_app_image" "serving" {
  name = "secretflow-serving"
}

resource "kuscia_serving" "all" {
  for_each = var.servings

  serving_id           = each.key
  initiator            = "alice"
  serving_input_config = jsonencode({ modelId = each.value.model })

  parties = [
    for domain, party in each.value.parties : {
      domain_id = domain
      app_image = data.kuscia_app_image.serving.name
      replicas  = party.replicas
    }
  ]

  redeploy_triggers = {
    image = data.kuscia_app_image.serving.rollout_revision
  }
}

# One look at all of them.
data "kuscia_serving_status" "all" {
  serving_ids = [for serving in kuscia_serving.all : serving.serving_id]

  depends_on = [kuscia_serving.all]
}

output "not_available" {
  description = "Servings whose parties do not all run, with what Kuscia says about them."
  value = {
    for id, serving in data.kuscia_serving_status.all.servings :
    id => "${serving.state}: ${serving.reason} ${serving.message}"
    if serving.state != "Available"
  }
}
