resource "kuscia_app_image" "scores" {
  name  = "scores"
  image = { name = "example/scores", tag = "1.0" }
  deploy_templates = [
    {
      name = "scores"
      containers = [
        {
          name      = "server"
          command   = ["serve", "--threads=4"]
          ports     = [{ name = "service", scope = "Cluster" }]
          resources = { limits = { cpu = "2", memory = "2Gi" } }
        },
        { name = "reporter" },
      ]
    },
  ]
}

resource "kuscia_serving" "scores" {
  serving_id = "scores"
  initiator  = "alice"
  serving_input_config = jsonencode({
    partyConfigs = {
      alice = { modelConfig = { modelId = "scores-1", sourcePath = "models/alice/scores-1.tar.gz" } }
      bob   = { modelConfig = { modelId = "scores-1", sourcePath = "models/bob/scores-1.tar.gz" } }
      carol = { modelConfig = { modelId = "scores-1", sourcePath = "models/carol/scores-1.tar.gz" } }
    }
  })
  parties = {
    alice = { app_image = kuscia_app_image.scores.name, replicas = 1 }
    bob = {
      app_image = kuscia_app_image.scores.name
      replicas  = 1
      container_resources = {
        server   = { max_cpu = "4", max_memory = "4Gi" }
        reporter = { max_cpu = "1" }
      }
    }
    carol = { app_image = kuscia_app_image.scores.name, replicas = 1 }
  }
}
