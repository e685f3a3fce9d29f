locals {
  config = {
    modelId = "glm-1"
    mode    = "online"
  }
}

resource "kuscia_serving" "glm" {
  serving_id           = "glm"
  initiator            = "alice"
  serving_input_config = jsonencode(local.config)

  parties = [
    for domain in ["alice", "bob"] : { domain_id = domain, app_image = "secretflow-serving" }
  ]
}

# A copy of the configuration that plans show for review. Use only for
# configurations without credentials.
resource "terraform_data" "glm_config" {
  input = local.config
}
