data "kuscia_serving_status" "models" {
  serving_ids = ["glm", "xgb"]
}

# Servings with a party that is not running, with Kuscia's reason.
output "not_available" {
  value = {
    for id, serving in data.kuscia_serving_status.models.servings :
    id => "${serving.state}: ${serving.reason} ${serving.message}"
    if serving.state != "Available"
  }
}

output "unknown_to_kuscia" {
  value = data.kuscia_serving_status.models.missing_serving_ids
}
