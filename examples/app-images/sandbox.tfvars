app_images = {
  scores-1                 = { image = "corp/scores", tag = "1" }
  scores-2                 = { image = "corp/scores", tag = "2" }
  psi-v1                   = { image = "secretflow/psi", tag = "v1" }
  secretflow-serving-image = { image = "secretflow/serving-anolis8", tag = "0.8.0b0", container = "secretflow" }
}
