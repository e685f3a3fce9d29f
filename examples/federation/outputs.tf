output "service" {
  description = "Address of the serving, keyed by party."
  value       = module.federation.service
}
