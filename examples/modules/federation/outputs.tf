output "domains" {
  description = "Domains of the parties, known after they are created."
  value       = { for id, domain in kuscia_domain.this : id => domain.domain_id }
}

output "joined" {
  description = "Domains of the parties, known after the routes are ready. The nodes have then joined, and objects can be created on them."
  value       = { for id, domain in kuscia_domain.this : id => domain.domain_id }
  depends_on  = [kuscia_domain_route.this]
}

output "service" {
  description = "Address of the service port of the serving, keyed by domain."
  value       = module.serving.service
}
