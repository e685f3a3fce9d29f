variable "larger_resources" {
  description = "Let each container use up to 3 CPUs and 3Gi of memory instead of 2 and 2Gi."
  type        = bool
  default     = false
}
