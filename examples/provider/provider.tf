terraform {
  required_providers {
    kuscia = {
      source  = "terraform-kuscia/kuscia"
      version = "~> 0.1"
    }
  }
}

# Kuscia with protocol TLS or MTLS: the folder holds the files token, ca.crt,
# kusciaapi-server.crt and kusciaapi-server.key, copied from the container's
# /home/kuscia/var/certs.
provider "kuscia" {
  endpoint  = "https://kuscia.example:8082"
  certs_dir = "/etc/kuscia/certs"
}
