# Protocol TLS requires the token and the CA certificate of the server.
provider "kuscia" {
  endpoint            = "https://kuscia.example:8082"
  token_file          = "/etc/kuscia/certs/token"
  ca_certificate_file = "/etc/kuscia/certs/ca.crt"

  # A name in the server certificate, if the host of endpoint is not one of
  # them.
  tls_server_name = "kusciaapi"
}
