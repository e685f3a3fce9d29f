resource "kuscia_edge_deployment" "test" {
  name        = "app"
  description = "this is a test app"
  node_ids    = ["9ebd8efb-9fdd-44a1-abda-9cdbc287a867"]
  tags        = { app = "test" }

  host_network       = true
  host_pid           = true
  restart_policy     = "Always"
  toleration_seconds = 300

  containers = [{
    name      = "container-0"
    image_url = "nginx:alpine"
    resources = {
      limits   = { cpu = "250m", memory = "500Mi" }
      requests = { cpu = "0.25", memory = "500Mi" }
    }
  }]
}
