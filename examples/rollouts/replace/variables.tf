variable "command" {
  description = "Command of the container."
  type        = list(string)
  default     = ["/app/server"]
}
