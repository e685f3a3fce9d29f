variable "carol" {
  description = "Certificates from the partner: that of its domain, and that of the CA of its gateway. Both are public."
  type        = object({ domain_certificate = string, ca_certificate = string })
}

variable "client_certificate" {
  description = "Client certificate of our gateway for requests to the partner, signed by a CA that the partner trusts."
  type        = string
}

variable "client_key" {
  description = "Private key of the client certificate."
  type        = string
  sensitive   = true
  ephemeral   = true
}

# A domain of another cluster is created with its certificate, which Kuscia uses
# to verify its signatures. It may be PEM, or base64 of PEM.
resource "kuscia_domain" "carol" {
  domain_id   = "carol-bank"
  role        = "partner"
  cert        = var.carol.domain_certificate
  auth_center = { authentication_type = "Token", token_gen_method = "UID-RSA-GEN" }
}

# Authenticates the gateways with tokens, which Kuscia renews every day.
resource "kuscia_domain_route" "carol_to_alice" {
  source              = kuscia_domain.carol.domain_id
  destination         = "alice"
  authentication_type = "Token"

  endpoint = {
    host  = "gateway.alice.example"
    ports = [{ name = "http", port = 1080, protocol = "HTTP", is_tls = true }]
  }
  token_config = { token_gen_method = "UID-RSA-GEN", rolling_update_period = 86400 }
}

# Authenticates both gateways with certificates instead of tokens.
resource "kuscia_domain_route" "alice_to_carol" {
  source              = "alice"
  destination         = kuscia_domain.carol.domain_id
  authentication_type = "MTLS"

  endpoint = {
    host  = "gateway.carol.example"
    ports = [{ name = "http", port = 1080, protocol = "HTTP", is_tls = true }]
  }
  mtls_config = {
    tls_ca                               = base64encode(var.carol.ca_certificate)
    source_client_cert                   = base64encode(var.client_certificate)
    source_client_private_key_wo         = base64encode(var.client_key)
    source_client_private_key_wo_version = 1
  }
}
