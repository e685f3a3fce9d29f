resource "kuscia_edge_deployment" "test" {
  name        = "app"
  description = "this is a new text"
  node_ids    = ["9ebd8efb-9fdd-44a1-abda-9cdbc287a867"]
  tags        = { app = "test" }

  host_network       = true
  host_pid           = true
  migration          = true
  restart_policy     = "Always"
  toleration_seconds = 300

  containers = [{
    name       = "container-0"
    image_url  = "swr.cn-north-1.myhuaweicloud.com/ief-test/nginx:0705"
    version    = "1.0"
    command    = ["/bin/bash"]
    args       = ["-c", "sleep 1000"]
    privileged = true
    resources = {
      limits   = { cpu = "0.25", memory = "500Mi", gpu = "500Mi" }
      requests = { cpu = "0.25", memory = "500Mi", gpu = "500Mi" }
    }
    envs            = [{ name = "CERT_PATH", value = "/opt/cert" }]
    ports           = [{ container_port = 80, host_port = 80 }]
    readiness_probe = { http_get = { path = "/", port = 80 }, timeout_seconds = 10 }
    liveness_probe  = { http_get = { path = "/", port = 80 }, timeout_seconds = 10 }
  }]
}
