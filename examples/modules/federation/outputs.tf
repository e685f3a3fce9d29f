output "domains" {
  description = "The domains of the parties, once they exist."
  value       = { for id, domain in kuscia_domain.this : id => domain.domain_id }
}

output "joined" {
  description = "The same, once the routes are ready: the nodes of the parties have joined, and their own objects can be made."
  value       = { for id, domain in kuscia_domain.this : id => domain.domain_id }
  depends_on  = [kuscia_domain_route.this]
}

output "service" {
  description = "Address of the serving's service port, by domain."
  value       = module.serving.service
}
