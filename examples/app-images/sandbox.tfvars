app_images = {
  scores-1     = { image = "corp/scores", tag = "1" }
  scores-2     = { image = "corp/scores", tag = "2" }
  psi-v1       = { image = "secretflow/psi", tag = "v1" }
  model-server = { image = "example/model-server", tag = "1.0", container = "server" }
}
