resource "kuscia_edge_deployment" "test" {
  api_version = "v2"
  name        = "deployment-test"
  description = "ok"
  node_ids    = ["09dafd3e-63df-47a8-b7c6-119563fefa85"]

  host_network = true

  force_destroy = true

  containers = [{
    name       = "test-hw"
    version    = "1.0.0"
    image_url  = "xxx.xxx.xxx/edgecloud/version:v1"
    privileged = true
    volumes    = [{ name = "test", type = "hostPath", source = "/tmp", destination = "/tmp0", read_only = true }]
  }]
}
