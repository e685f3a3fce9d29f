# The domain, on the master. Create waits until Kuscia has issued a deploy
# token.
resource "kuscia_domain" "edge" {
  domain_id = "edge-shop"
}

# The deploy token. Not stored in state or plan files.
ephemeral "kuscia_domain_deploy_token" "edge" {
  domain_id = kuscia_domain.edge.domain_id
}

# The lite node of the domain, running on the edge node.
resource "kuscia_edge_deployment" "edge" {
  name        = "kuscia-lite-edge-shop"
  description = "Kuscia lite node of edge-shop"
  node_ids    = [var.edge_node_id]

  containers = [{
    name      = "kuscia"
    image_url = "secretflow-registry.cn-hangzhou.cr.aliyuncs.com/secretflow/kuscia:${var.kuscia_version}"

    # The first start generates the private key and the configuration of the
    # node. Both stay on the edge node, and later starts reuse them.
    command = ["sh", "-c", <<-EOT
      set -eu
      umask 077
      if [ ! -s "$CONF" ]; then
        kuscia init --mode lite --domain "$DOMAIN_ID" --master-endpoint "$MASTER_ENDPOINT" --lite-deploy-token "$DEPLOY_TOKEN" > "$CONF.new"
        mv "$CONF.new" "$CONF"
      fi
      exec kuscia start -c "$CONF"
    EOT
    ]

    envs = [
      { name = "CONF", value = "/home/kuscia/edge/kuscia.yaml" },
      { name = "DOMAIN_ID", value = kuscia_domain.edge.domain_id },
      { name = "MASTER_ENDPOINT", value = var.master_endpoint },
      # The token is used only when the node first joins. A node that has lost
      # its key needs a new token: increment the version.
      { name = "DEPLOY_TOKEN", value_wo = ephemeral.kuscia_domain_deploy_token.edge.token, value_wo_version = 1 },
    ]

    # Kuscia's container starts other containers.
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
  }]
}
