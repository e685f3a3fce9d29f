resource "kuscia_app_image" "serving" {
  name  = "secretflow-serving"
  image = { name = "secretflow/serving-anolis8", tag = "0.8.0b0" }

  deploy_templates = [{
    name = "secretflow"
    containers = [{
      name    = "secretflow"
      command = ["./secretflow_serving"]
      ports = [
        { name = "service", protocol = "HTTP", scope = "Domain" },
        { name = "communication", protocol = "HTTP", scope = "Cluster" },
      ]
    }]
  }]
}

resource "kuscia_serving" "credit" {
  serving_id = "credit"
  initiator  = "alice"
  serving_input_config = jsonencode({
    partyConfigs = {
      alice = { modelConfig = { modelId = "credit-1" } }
      bob   = { modelConfig = { modelId = "credit-1" } }
    }
  })
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
