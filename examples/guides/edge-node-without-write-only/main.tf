resource "kuscia_domain" "edge" {
  domain_id = "edge-shop"
}

data "kuscia_domain" "edge" {
  domain_id = kuscia_domain.edge.id

  depends_on = [kuscia_domain.edge]
}

resource "kuscia_edge_deployment" "edge" {
  name     = "kuscia-lite-edge-shop"
  node_ids = ["0e1c5a3c-8a4e-4e0f-9a52-3a8f6ad4f1c7"]

  containers = [{
    name      = "kuscia"
    image_url = "secretflow-registry.cn-hangzhou.cr.aliyuncs.com/secretflow/kuscia:1.1.0b0"

    # command, the other variables, privileged and volumes are those of the
    # complete node; only the token comes from elsewhere.
    envs = [{ name = "DEPLOY_TOKEN", value = data.kuscia_domain.edge.deploy_tokens[0].token }]
  }]
}
