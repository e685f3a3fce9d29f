data "kuscia_domains" "parties" {
  domain_ids = ["alice", "bob", "carol-bank"]
}

locals {
  by_id = { for d in data.kuscia_domains.parties.domains : d.domain_id => d }
}

output "without_a_ready_node" {
  value = [for id, d in local.by_id : id if !contains(d.node_statuses[*].status, "Ready")]
}

output "missing" {
  value = data.kuscia_domains.parties.missing_domain_ids
}
