# Protocol MTLS, Kuscia's default: also a certificate of the client. certs_dir
# reads the four files by the names that Kuscia gives them.
provider "kuscia" {
  endpoint        = "https://kuscia.example:8082"
  certs_dir       = "/etc/kuscia/certs"
  tls_server_name = "kusciaapi"
}
