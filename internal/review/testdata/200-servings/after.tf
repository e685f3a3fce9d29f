resource "kuscia_app_image" "serving" {
  name  = "secretflow-serving"
  image = { name = "secretflow/serving-anolis8", tag = "0.8.0b0" }

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

resource "kuscia_serving" "this" {
  count                = 200
  serving_id           = "serving-${count.index}"
  initiator            = "alice"
  serving_input_config = jsonencode({ modelId = "model-${count.index}" })
  parties = {
    for domain in ["alice", "bob"] : domain => { app_image = kuscia_app_image.serving.name }
  }
}
