output "service" {
  description = "Address of the serving, by party."
  value       = module.federation.service
}
