# __generated__ by Terraform
# Please review these resources and move them into your main configuration files.

# __generated__ by Terraform from "scores"
resource "kuscia_serving" "imported" {
  affinity_mode     = "anti-affinity"
  allow_removal_of  = null
  check_application = true
  follow_app_image  = true
  initiator         = "alice"
  parties = {
    alice = {
      app_image           = "scores"
      container_resources = null
      domain_id           = "alice"
      replicas            = 1
      resources           = null
      role                = null
      service_name_prefix = null
      update_strategy = {
        max_surge       = "25%"
        max_unavailable = "25%"
        type            = "RollingUpdate"
      }
    }
    bob = {
      app_image = "scores"
      container_resources = {
        reporter = {
          max_cpu    = "1"
          max_memory = null
          min_cpu    = null
          min_memory = null
        }
        server = {
          max_cpu    = "4"
          max_memory = "4Gi"
          min_cpu    = null
          min_memory = null
        }
      }
      domain_id           = "bob"
      replicas            = 1
      resources           = null
      role                = null
      service_name_prefix = null
      update_strategy = {
        max_surge       = "25%"
        max_unavailable = "25%"
        type            = "RollingUpdate"
      }
    }
    carol = {
      app_image           = "scores"
      container_resources = null
      domain_id           = "carol"
      replicas            = 1
      resources           = null
      role                = null
      service_name_prefix = null
      update_strategy = {
        max_surge       = "25%"
        max_unavailable = "25%"
        type            = "RollingUpdate"
      }
    }
  }
  progress_deadline = "10m"
  redeploy_triggers = null
  replace_triggers  = null
  serving_id        = "scores"
  serving_input_config = jsonencode({
    partyConfigs = {
      alice = {
        modelConfig = {
          modelId    = "scores-1"
          sourcePath = "models/alice/scores-1.tar.gz"
        }
      }
      bob = {
        modelConfig = {
          modelId    = "scores-1"
          sourcePath = "models/bob/scores-1.tar.gz"
        }
      }
      carol = {
        modelConfig = {
          modelId    = "scores-1"
          sourcePath = "models/carol/scores-1.tar.gz"
        }
      }
    }
  })
  serving_input_config_wo         = null
  serving_input_config_wo_version = null
  timeouts = {
    create = "20m"
    delete = "10m"
    update = "20m"
  }
  wait_for_rollout = true
}
