resource "kuscia_domain" "this" {
  for_each  = toset(["carol", "dave"])
  domain_id = each.key
}

resource "kuscia_domain_route" "this" {
  for_each = { carol = "dave", dave = "carol" }

  source              = kuscia_domain.this[each.key].domain_id
  destination         = kuscia_domain.this[each.value].domain_id
  authentication_type = "Token"
  endpoint            = { host = "gateway.${each.value}.example", ports = [{ name = "http", port = 80, protocol = "HTTP" }] }
}

resource "kuscia_domain_data" "scores" {
  domain_id     = kuscia_domain.this["carol"].domain_id
  domaindata_id = "scores"
  type          = "table"
  relative_uri  = "scores/2026.csv"
}

resource "kuscia_domain_data_grant" "dave" {
  domain_id          = kuscia_domain_data.scores.domain_id
  domaindata_id      = kuscia_domain_data.scores.domaindata_id
  domaindatagrant_id = "scores-to-dave"
  grant_domain       = kuscia_domain.this["dave"].domain_id
  limit              = { expiration_time = "2040-02-01T00:00:00Z", use_count = 100 }
}

resource "kuscia_app_image" "serving" {
  name  = "secretflow-serving"
  image = { name = "secretflow/serving-anolis8", tag = "0.8.0b0" }

  # Kuscia substitutes the {{.NAMES}}.
  config_templates = {
    "serving-config.conf" = jsonencode({
      serving_id      = "{{.SERVING_ID}}"
      input_config    = "{{.INPUT_CONFIG}}"
      cluster_def     = "{{.CLUSTER_DEFINE}}"
      allocated_ports = "{{.ALLOCATED_PORTS}}"
    })
  }

  deploy_templates = [{
    name = "secretflow"
    containers = [{
      name    = "secretflow"
      command = ["./secretflow_serving", "--flagfile=conf/gflags.conf", "--config_mode=kuscia", "--serving_config_file=/etc/kuscia/serving-config.conf"]
      config_volume_mounts = [
        { mount_path = "/etc/kuscia/serving-config.conf", sub_path = "serving-config.conf" },
      ]
      ports = [
        { name = "service", protocol = "HTTP", scope = "Domain" },
        { name = "communication", protocol = "HTTP", scope = "Cluster" },
      ]
    }]
  }]
}

resource "kuscia_serving" "credit" {
  serving_id = "credit"
  initiator  = "carol"
  serving_input_config = jsonencode({
    partyConfigs = {
      carol = { modelConfig = { modelId = "credit-1", sourcePath = "models/carol/credit-1.tar.gz", sourceType = "ST_FILE" } }
      dave  = { modelConfig = { modelId = "credit-1", sourcePath = "models/dave/credit-1.tar.gz", sourceType = "ST_FILE" } }
    }
  })
  parties = {
    for domain in ["carol", "dave"] : domain => { app_image = kuscia_app_image.serving.name, replicas = 2 }
  }
  depends_on = [kuscia_domain.this]
}
