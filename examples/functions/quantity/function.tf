variable "memory" {
  description = "Memory limit of each pod."
  type        = string
  default     = "2048Mi"

  validation {
    condition     = can(provider::kuscia::quantity(var.memory))
    error_message = "Not a Kubernetes quantity such as 512Mi or 2Gi."
  }
}

output "memory" {
  description = "The limit as Kuscia stores it: 2Gi."
  value       = provider::kuscia::quantity(var.memory)
}
