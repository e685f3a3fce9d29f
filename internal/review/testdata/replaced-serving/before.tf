resource "kuscia_app_image" "serving" {
  name  = "model-server"
  image = { name = "example/model-server", tag = "1.0" }

  deploy_templates = [{
    name = "server"
    containers = [{
      name    = "server"
      command = ["/app/server"]
      ports = [
        { name = "service", protocol = "HTTP", scope = "Domain" },
        { name = "communication", protocol = "HTTP", scope = "Cluster" },
      ]
    }]
  }]
}

resource "kuscia_serving" "credit" {
  serving_id           = "credit"
  initiator            = "alice"
  serving_input_config = jsonencode({ modelId = "credit-1" })
  parties = {
    for domain in ["alice", "bob"] : domain => { app_image = kuscia_app_image.serving.name, replicas = 2 }
  }
}

resource "kuscia_domain_data" "scores" {
  domain_id     = "alice"
  domaindata_id = "scores"
  type          = "table"
  relative_uri  = "scores/2026.csv"
  file_format   = "CSV"
}

resource "kuscia_domain_data_grant" "bob" {
  domain_id          = kuscia_domain_data.scores.domain_id
  domaindata_id      = kuscia_domain_data.scores.domaindata_id
  domaindatagrant_id = "scores-to-bob"
  grant_domain       = "bob"
}
