# Protocol MTLS, Kuscia's default, also requires a client certificate. The
# provider reads the four files from certs_dir, with the names that Kuscia gives
# them.
provider "kuscia" {
  endpoint        = "https://kuscia.example:8082"
  certs_dir       = "/etc/kuscia/certs"
  tls_server_name = "kusciaapi"
}
