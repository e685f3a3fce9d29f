output "state" {
  description = "State of the serving as a whole."
  value       = data.kuscia_serving_status.glm.servings[kuscia_serving.glm.serving_id].state
}

output "available_parties" {
  description = "How many parties have all their replicas running."
  value       = data.kuscia_serving_status.glm.servings[kuscia_serving.glm.serving_id].available_parties
}

output "endpoints" {
  description = "Address of each port, by party and port name."
  value       = { for e in kuscia_serving.glm.endpoints : "${e.domain_id}/${e.port_name}" => e.endpoint }
}
