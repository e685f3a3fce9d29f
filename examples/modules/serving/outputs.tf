output "serving_id" {
  description = "ID of the serving."
  value       = kuscia_serving.this.serving_id
}

output "create_time" {
  description = "Creation time of the serving. Does not change with updates in place."
  value       = kuscia_serving.this.create_time
}

output "service" {
  description = "Address of the service port, keyed by domain."
  value       = { for domain in keys(var.parties) : domain => kuscia_serving.this.endpoints["${domain}/service"] }
}
