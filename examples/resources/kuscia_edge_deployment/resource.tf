variable "edge_node_id" {
  description = "ID of the edge node, from the IEF console."
  type        = string
}

resource "kuscia_edge_deployment" "agent" {
  name     = "agent"
  node_ids = [var.edge_node_id]

  containers = [{
    name      = "agent"
    image_url = "registry.example/agent:1.0.0"
    resources = {
      limits   = { cpu = "1", memory = "512Mi" }
      requests = { cpu = "100m", memory = "128Mi" }
    }
  }]
}
