variable "tag" {
  description = "Tag of the container image."
  type        = string
  default     = "1.0"
}
