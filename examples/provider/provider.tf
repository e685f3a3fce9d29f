terraform {
  required_providers {
    kuscia = {
      source  = "terraform-kuscia/kuscia"
      version = "~> 0.1.0"
    }
  }
}

# For Kuscia with protocol TLS or MTLS. certs_dir is a directory with the files
# token, ca.crt, kusciaapi-server.crt and kusciaapi-server.key, copied from
# /home/kuscia/var/certs in the container.
provider "kuscia" {
  endpoint  = "https://kuscia.example:8082"
  certs_dir = "/etc/kuscia/certs"
}
