data "kuscia_serving" "glm" {
  serving_id = "glm"
}

output "glm_app_images" {
  value = { for domain, party in data.kuscia_serving.glm.parties : domain => party.app_image }
}

output "alice_service" {
  value = data.kuscia_serving.glm.endpoints["alice/service"]
}
