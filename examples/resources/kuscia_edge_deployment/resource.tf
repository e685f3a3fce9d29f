variable "edge_node_id" {
  description = "ID of the edge node, from the IEF console."
  type        = string
}

# A Kuscia lite node on an edge node. The ConfigMap has its kuscia.yaml, with the
# deploy token of its domain.
resource "kuscia_edge_deployment" "lite" {
  name        = "kuscia-lite-alice"
  description = "Kuscia lite node of alice"
  node_ids    = [var.edge_node_id]

  containers = [{
    name      = "kuscia"
    image_url = "secretflow-registry.cn-hangzhou.cr.aliyuncs.com/secretflow/kuscia:1.1.0b0"
    command   = ["/home/kuscia/bin/kuscia"]
    args      = ["start", "-c", "/home/kuscia/etc/conf/kuscia.yaml"]

    # The container of a lite node starts other containers.
    privileged = true

    resources = {
      limits   = { cpu = "4", memory = "8Gi" }
      requests = { cpu = "1", memory = "2Gi" }
    }

    envs = [
      { name = "NODE_IP", field_path = "status.hostIP" },
    ]

    volumes = [
      { name = "conf", type = "configMap", source = "kuscia-lite-alice", destination = "/home/kuscia/etc/conf" },
      { name = "var", type = "hostPath", source = "/opt/kuscia/var", destination = "/home/kuscia/var" },
    ]

    ports = [{ container_port = 1080, host_port = 1080 }]

    liveness_probe = {
      http_get = { path = "/handshake", port = 1080 }
    }
  }]
}
