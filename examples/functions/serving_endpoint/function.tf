data "kuscia_serving" "glm" {
  serving_id = "glm"
}

# Null if the serving has no such party or port.
output "alice_http" {
  value = provider::kuscia::serving_endpoint(data.kuscia_serving.glm.endpoints, "alice", "", "service")
}
