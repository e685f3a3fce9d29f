data "kuscia_serving_status" "now" {
  serving_ids = [kuscia_serving.glm.serving_id]

  # Asked after a change of the serving, not before it.
  depends_on = [kuscia_serving.glm]
}

# A check block warns, in every plan and apply, and stops nothing.
check "glm_is_available" {
  assert {
    condition     = data.kuscia_serving_status.now.all_available
    error_message = "Serving glm is not available."
  }
}
