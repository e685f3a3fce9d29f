# Watches servings that other states manage: a plan fails while one of them is
# not available.
variable "serving_ids" {
  description = "The servings to watch."
  type        = list(string)
  default     = ["serving-1"]
}

data "kuscia_serving_status" "watched" {
  serving_ids = var.serving_ids

  lifecycle {
    postcondition {
      condition = self.all_available
      error_message = join("\n", concat(
        ["Not every serving is available."],
        [for id, s in self.servings : "${id}: ${s.state}, ${s.available_parties} of ${s.total_parties} parties. ${s.reason} ${s.message}" if s.state != "Available"],
        [for id in self.missing_serving_ids : "${id}: Kuscia does not know it"],
      ))
    }
  }
}
