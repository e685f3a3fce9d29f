data "kuscia_serving" "glm" {
  serving_id = "glm"
}

output "glm_app_images" {
  value = { for party in data.kuscia_serving.glm.parties : party.domain_id => party.app_image }
}
