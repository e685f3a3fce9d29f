resource "kuscia_edge_deployment" "test" {
  api_version = "v2"
  name        = "deployment-test"
  description = "This is a test deployment"
  node_ids    = ["09dafd3e-63df-47a8-b7c6-119563fefa85"]

  restart_policy = "Always"

  containers = [{
    name      = "test-hw"
    version   = "1.0.0"
    image_url = "100.95.181.176:5300/op_svc_ief_container1/sample:latest"

    ports = [{ container_port = 8888, host_port = 88 }]

    resources = {
      requests = { cpu = "0.25", memory = "512Mi" }
      limits   = { cpu = "1", memory = "512Mi" }
    }

    liveness_probe = {
      exec                  = { command = "/bin/bash" }
      initial_delay_seconds = 10
      timeout_seconds       = 10
    }
  }]
}
