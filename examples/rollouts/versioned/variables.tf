variable "tag" {
  description = "Tag of the container image."
  type        = string
  default     = "0.8.0b0"
}
