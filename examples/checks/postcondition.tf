# A failed postcondition is an error: if the serving is not available, the plan
# or apply fails, and resources that depend on the data source are not changed.
data "kuscia_serving_status" "glm" {
  serving_ids = [kuscia_serving.glm.serving_id]
  depends_on  = [kuscia_serving.glm]

  lifecycle {
    postcondition {
      condition = self.all_available
      error_message = join("\n", concat(
        ["Serving glm is not available."],
        [for id, s in self.servings : "${id}: ${s.state} ${s.reason} ${s.message}" if s.state != "Available"],
        [for id in self.missing_serving_ids : "${id}: Kuscia does not know it"],
      ))
    }
  }
}
