# The part of a federation that the master manages: domains, routes, domain data
# with their grants, and the serving.

locals {
  routes = merge([
    for source, destinations in var.routes == null ? { for party in keys(var.parties) : party => setsubtract(keys(var.parties), [party]) } : var.routes : {
      for destination in destinations : "${source}/${destination}" => { source = source, destination = destination }
    }
  ]...)
}

resource "kuscia_domain" "this" {
  for_each = var.parties

  domain_id = each.key
}

# A route becomes ready when the nodes of both parties have joined and can reach
# each other. Everything that needs running nodes depends on the routes.
resource "kuscia_domain_route" "this" {
  for_each = local.routes

  source              = kuscia_domain.this[each.value.source].domain_id
  destination         = kuscia_domain.this[each.value.destination].domain_id
  authentication_type = "Token"

  endpoint = {
    host  = var.parties[each.value.destination].gateway
    ports = [{ name = "http", port = var.parties[each.value.destination].port, protocol = "HTTP", is_tls = true }]
  }
  token_config = { rolling_update_period = 86400 }

  wait_for_ready = true
  timeouts       = { create = var.nodes_timeout }
}

module "data" {
  source   = "../shared-data"
  for_each = var.data

  id            = each.key
  owner         = each.value.owner
  datasource_id = each.value.datasource_id
  type          = each.value.type
  relative_uri  = each.value.relative_uri
  file_format   = each.value.file_format
  columns       = each.value.columns
  readers       = each.value.readers
}

module "serving" {
  source = "../serving"

  name      = var.serving.name
  image     = var.serving.image
  initiator = var.serving.initiator
  model     = var.serving.model
  parties   = { for id, party in var.parties : id => { replicas = party.replicas, cpu = party.cpu, memory = party.memory } }

  # A serving only works if its parties can reach each other and may read the
  # data.
  depends_on = [kuscia_domain_route.this, module.data]
}
