resource "kuscia_app_image" "serving" {
  name  = "secretflow-serving"
  image = { name = "secretflow/serving-anolis8", tag = "0.9.0b0" }

  deploy_templates = [{
    name = "secretflow"
    containers = [{
      name    = "secretflow"
      command = ["./secretflow_serving"]
      ports = [
        { name = "service", protocol = "HTTP", scope = "Domain" },
        { name = "communication", protocol = "HTTP", scope = "Cluster" },
      ]
    }]
  }]
}

resource "kuscia_serving" "credit" {
  serving_id = "credit"
  initiator  = "alice"
  serving_input_config = jsonencode({
    partyConfigs = {
      alice = { modelConfig = { modelId = "credit-1", sourcePath = "models/alice/credit-1.tar.gz" } }
      bob   = { modelConfig = { modelId = "credit-1", sourcePath = "models/bob/credit-1.tar.gz" } }
    }
  })
  parties = {
    for domain in ["alice", "bob"] : domain => { app_image = kuscia_app_image.serving.name, replicas = 2 }
  }
}
