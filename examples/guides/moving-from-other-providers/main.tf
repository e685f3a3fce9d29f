terraform {
  required_providers {
    kuscia  = { source = "terraform-kuscia/kuscia" }
    restapi = { source = "Mastercard/restapi" } # until the move is applied
  }
}

resource "kuscia_serving" "glm" {
  serving_id           = "glm"
  initiator            = "alice"
  serving_input_config = jsonencode({ model = "glm-1" })

  parties = {
    alice = { app_image = "glm", replicas = 2 }
    bob   = { app_image = "glm" }
  }
}

moved {
  from = restapi_object.glm
  to   = kuscia_serving.glm
}
