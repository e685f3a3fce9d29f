data "kuscia_domain" "alice_bank" {
  domain_id = "alice-bank"
}

output "nodes" {
  value = { for n in data.kuscia_domain.alice_bank.node_statuses : n.name => n.status }
}

# This certificate is not from a domain: it is the cluster's CA certificate.
data "kuscia_domain" "master" {
  domain_id = "master"
}

output "ca_certificate" {
  value = base64decode(data.kuscia_domain.master.cert)
}
