# Runs against the Kuscia in the environment, preferably a sandbox:
#
#   kuscia-sandbox --protocol NOTLS &
#   KUSCIA_ENDPOINT=http://127.0.0.1:8082 terraform test

variables {
  name      = "module-test"
  image     = { name = "secretflow/serving-anolis8", tag = "0.8.0b0" }
  initiator = "alice"
  parties   = { alice = { replicas = 2 }, bob = {} }
  model     = { modelId = "glm-1" }
}

run "refuses_latest" {
  command = plan

  variables {
    image = { name = "secretflow/serving-anolis8", tag = "latest" }
  }

  expect_failures = [var.image]
}

run "sets_defaults" {
  command = plan

  assert {
    condition     = { for p in kuscia_serving.this.parties : p.domain_id => p.replicas } == { alice = 2, bob = 1 }
    error_message = "A party without replicas must have one."
  }

  assert {
    condition     = alltrue([for p in kuscia_serving.this.parties : p.resources[0].min_memory == p.resources[0].max_memory])
    error_message = "Memory requests and limits must be equal."
  }
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
    condition     = kuscia_serving.this.redeploy_triggers.image == kuscia_app_image.this.rollout_revision
    error_message = "The serving must be rolled out with the image."
  }
}
