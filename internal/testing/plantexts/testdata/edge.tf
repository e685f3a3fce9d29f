resource "kuscia_edge_deployment" "v2" {
  api_version = "v2"
  name        = "agent-v2"
  node_ids    = ["node-1"]
  containers = [{
    name      = "agent"
    image_url = "registry.example/agent:1.0.0"
    resources = {
      limits   = { cpu = "1", memory = "512Mi" }
      requests = { cpu = "100m", memory = "128Mi" }
    }
  }]
}

resource "kuscia_edge_deployment" "v3" {
  api_version = "v3"
  name        = "agent-v3"
  node_ids    = ["node-1"]
  containers = [{
    name      = "agent"
    image_url = "registry.example/agent:1.0.0"
    resources = {
      limits   = { cpu = "1", memory = "512Mi" }
      requests = { cpu = "100m", memory = "128Mi" }
    }
  }]
}
