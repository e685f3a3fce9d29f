# Runs against the Kuscia in the environment, preferably a sandbox:
#
#   kuscia-sandbox --protocol NOTLS &
#   KUSCIA_ENDPOINT=http://127.0.0.1:8082 terraform test

variables {
  name      = "module-test"
  image     = { name = "secretflow/serving-anolis8", tag = "0.8.0b0" }
  initiator = "alice"
  parties   = { alice = { replicas = 2 }, bob = {} }
  model     = { modelId = "glm-1", sourcePath = "/models/glm-1.tar.gz" }
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
    condition     = { for domain, p in kuscia_serving.this.parties : domain => p.replicas } == { alice = 2, bob = 1 }
    error_message = "A party without replicas must have one."
  }

  assert {
    condition     = alltrue([for p in kuscia_serving.this.parties : p.resources.min_memory == p.resources.max_memory])
    error_message = "Memory requests and limits must be equal."
  }
}
