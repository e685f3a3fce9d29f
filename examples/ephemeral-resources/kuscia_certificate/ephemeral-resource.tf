ephemeral "kuscia_certificate" "gateway" {
  common_name  = "alice"
  organization = "Example"
  duration_sec = 90 * 24 * 60 * 60
  key_type     = "PKCS#8"
}

# Kept at the node, and in no state. The certificate and its key are those of
# one run: raise the version for new ones.
resource "kuscia_config" "gateway" {
  key = "gateway-certificate"
  value_wo = jsonencode({
    key   = ephemeral.kuscia_certificate.gateway.key
    chain = ephemeral.kuscia_certificate.gateway.cert_chain
  })
  value_wo_version = 1
}
