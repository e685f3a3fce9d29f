data "kuscia_serving_status" "now" {
  serving_ids = [kuscia_serving.glm.serving_id]

  # Read after the serving has been changed, not before.
  depends_on = [kuscia_serving.glm]
}

# A failed check block is a warning in every plan and apply. It does not block
# them.
check "glm_is_available" {
  assert {
    condition     = data.kuscia_serving_status.now.all_available
    error_message = "Serving glm is not available."
  }
}
