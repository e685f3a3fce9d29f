output "serving_id" {
  description = "Identifier of the serving."
  value       = kuscia_serving.this.serving_id
}

output "create_time" {
  description = "When the serving was created: the same as long as it was only updated."
  value       = kuscia_serving.this.create_time
}

output "service" {
  description = "Address of the service port, by domain."
  value       = { for e in kuscia_serving.this.endpoints : e.domain_id => e.endpoint if e.port_name == "service" }
}
