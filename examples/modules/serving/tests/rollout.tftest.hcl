# A serving that runs, and a new tag of its image.

variables {
  name      = "module-test"
  image     = { name = "secretflow/serving-anolis8", tag = "0.8.0b0" }
  initiator = "alice"
  parties   = { alice = { replicas = 2 }, bob = {} }
  model     = { modelId = "glm-1", sourcePath = "/models/glm-1.tar.gz" }
}

run "runs" {
  assert {
    condition     = output.service.alice != "" && output.service.bob != ""
    error_message = "Every party must have an address."
  }
}

# If the serving is replaced, its creation time and addresses are unknown in the
# plan, and these conditions fail.
run "a_new_tag_is_an_update" {
  command = plan

  variables {
    image = { name = "secretflow/serving-anolis8", tag = "0.9.0b0" }
  }

  assert {
    condition     = output.create_time != "" && output.service.alice != ""
    error_message = "The serving must be updated in place and keep its addresses."
  }
}

run "a_new_tag_is_rolled_out" {
  variables {
    image = { name = "secretflow/serving-anolis8", tag = "0.9.0b0" }
  }

  assert {
    condition     = alltrue([for party in kuscia_serving.this.parties : party.image == "secretflow/serving-anolis8:0.9.0b0"])
    error_message = "The serving must be rolled out with the image."
  }
}
