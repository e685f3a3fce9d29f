variable "command" {
  description = "Command of the container."
  type        = list(string)
  default     = ["./secretflow_serving", "--flagfile=conf/gflags.conf"]
}
