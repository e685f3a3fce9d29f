# Requests from the edge node to the partner.
resource "kuscia_domain_route" "edge_to_partner" {
  source              = kuscia_domain.edge.domain_id
  destination         = var.partner.domain_id
  authentication_type = "Token"

  endpoint = {
    host  = var.partner.gateway
    ports = [{ name = "http", port = 1080, protocol = "HTTP", is_tls = true }]
  }

  # A route becomes ready when both gateways run, so it is created after the
  # node.
  depends_on     = [kuscia_edge_deployment.edge]
  wait_for_ready = true
}

# Requests from the partner to the edge node. The edge node is not reachable
# from outside, so they use a reverse tunnel that the edge node opens. The
# endpoint of such a route is always this one.
resource "kuscia_domain_route" "partner_to_edge" {
  source              = var.partner.domain_id
  destination         = kuscia_domain.edge.domain_id
  authentication_type = "Token"

  endpoint = {
    host  = "127.0.0.1"
    ports = [{ name = "http", port = 1080, protocol = "HTTP" }]
  }
  transit = { transit_method = "REVERSE-TUNNEL" }

  depends_on = [kuscia_domain_route.edge_to_partner]
}
