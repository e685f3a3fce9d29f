terraform {
  required_providers {
    restapi = { source = "Mastercard/restapi" }
  }
}

resource "restapi_object" "glm" {
  path = "/api/v1/serving"

  data = jsonencode({
    serving_id           = "glm"
    initiator            = "alice"
    serving_input_config = jsonencode({ model = "glm-1" })
    parties = [
      { domain_id = "alice", app_image = "glm", replicas = 2 },
      { domain_id = "bob", app_image = "glm", replicas = 1 },
    ]
  })
}
