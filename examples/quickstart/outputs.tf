output "state" {
  description = "Overall state of the serving."
  value       = data.kuscia_serving_status.glm.servings[kuscia_serving.glm.serving_id].state
}

output "available_parties" {
  description = "Number of parties with all replicas running."
  value       = data.kuscia_serving_status.glm.servings[kuscia_serving.glm.serving_id].available_parties
}

output "endpoints" {
  description = "Address of each port, keyed by party and port name."
  value       = kuscia_serving.glm.endpoints
}
