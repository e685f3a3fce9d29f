# Protocol TLS: the token, and the authority that signed the server's certificate.
provider "kuscia" {
  endpoint            = "https://kuscia.example:8082"
  token_file          = "/etc/kuscia/certs/token"
  ca_certificate_file = "/etc/kuscia/certs/ca.crt"

  # A name that the certificate holds, where the host of endpoint is not in it.
  tls_server_name = "kusciaapi"
}
