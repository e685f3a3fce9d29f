# A postcondition is an error: a plan or an apply that finds the serving not
# available fails there, and what depends on the data source is left alone.
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
