variable "master_endpoint" {
  description = "Address of the Kuscia master, such as https://master.example:1080."
  type        = string
}

variable "deploy_token" {
  description = "Deploy token of the domain alice."
  type        = string
  sensitive   = true
}

# A Kuscia lite node of the domain alice on an edge node.
resource "kuscia_edge_deployment" "lite" {
  name        = "kuscia-lite-alice"
  description = "Kuscia lite node of alice"
  node_ids    = [var.edge_node_id]

  containers = [{
    name      = "kuscia"
    image_url = "secretflow-registry.cn-hangzhou.cr.aliyuncs.com/secretflow/kuscia:1.1.0b0"

    # The first start generates the private key and the configuration of the
    # node, which joins with the token. Later starts reuse them.
    command = ["sh", "-c", <<-EOT
      set -eu
      umask 077
      if [ ! -s "$CONF" ]; then
        kuscia init --mode lite --domain alice --master-endpoint "$MASTER_ENDPOINT" --lite-deploy-token "$DEPLOY_TOKEN" > "$CONF.new"
        mv "$CONF.new" "$CONF"
      fi
      exec kuscia start -c "$CONF"
    EOT
    ]

    envs = [
      { name = "CONF", value = "/home/kuscia/edge/kuscia.yaml" },
      { name = "MASTER_ENDPOINT", value = var.master_endpoint },
      { name = "DEPLOY_TOKEN", value = var.deploy_token },
    ]

    # The container of a lite node starts other containers.
    privileged = true

    resources = {
      limits   = { cpu = "4", memory = "8Gi" }
      requests = { cpu = "1", memory = "2Gi" }
    }

    volumes = [
      { name = "conf", type = "hostPath", source = "/opt/kuscia/conf", destination = "/home/kuscia/edge" },
      { name = "data", type = "hostPath", source = "/opt/kuscia/data", destination = "/home/kuscia/var/storage/data" },
    ]

    ports = [{ container_port = 1080, host_port = 1080 }]

    liveness_probe = {
      http_get = { path = "/handshake", port = 1080 }
    }
  }]
}
