# The provider reads the token from the environment variable KUSCIA_KUBE_TOKEN.
provider "kuscia" {
  kubernetes = {
    host                   = "https://kuscia.example:6443"
    cluster_ca_certificate = file("${path.root}/kuscia-ca.crt")
  }
}
