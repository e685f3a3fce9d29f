provider "kuscia" {
  kubernetes = {
    host                   = "https://kuscia.example:6443"
    cluster_ca_certificate = file("${path.root}/kuscia-ca.crt")
    exec = {
      api_version = "client.authentication.k8s.io/v1"
      command     = "kuscia-token"
      args        = ["--service-account", "cross-domain/terraform"]
      env         = { VAULT_ADDR = "https://vault.example:8200" }
    }
  }
}
