ephemeral "kuscia_certificate" "gateway" {
  common_name  = "alice"
  organization = "Example"
  duration_sec = 90 * 24 * 60 * 60
  key_type     = "PKCS#8"
}

# Store them on the node, not in state. Every run issues a new certificate and
# key: increment the version to store them.
resource "kuscia_config" "gateway" {
  key = "gateway-certificate"
  value_wo = jsonencode({
    key   = ephemeral.kuscia_certificate.gateway.key
    chain = ephemeral.kuscia_certificate.gateway.cert_chain
  })
  value_wo_version = 1
}
