resource "kuscia_serving" "glm" {
  serving_id           = "glm"
  initiator            = "alice"
  serving_input_config = jsonencode({ modelId = "glm-1" })
  parties              = { for domain in ["alice", "bob"] : domain => { app_image = kuscia_app_image.glm.name, replicas = 2 } }
}
