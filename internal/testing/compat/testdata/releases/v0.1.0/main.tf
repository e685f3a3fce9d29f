# Both resources, in the ways in which they come into a state: created, updated,
# imported; with everything left out, and with everything said.
terraform {
  required_providers {
    kuscia = { source = "terraform-kuscia/kuscia" }
  }
}

variable "replicas" {
  type    = number
  default = 2
}

import {
  to = kuscia_app_image.imported
  id = "existing"
}

resource "kuscia_app_image" "imported" {
  name             = "existing"
  image            = { name = "example/app", tag = "1.0" }
  config_templates = { "app.conf" = "{{.INPUT_CONFIG}}" }
  deploy_templates = [{
    name = "app"
    containers = [{
      name = "app"
      config_volume_mounts = [
        { mount_path = "/work/app.conf", sub_path = "app.conf" },
      ]
      ports = [
        { name = "service", scope = "Domain" },
        { name = "communication", scope = "Cluster" },
      ]
      resources = { limits = { cpu = "1", memory = "1024Mi" }, requests = { cpu = "0.1", memory = "100Mi" } }
    }]
  }]
}

import {
  to = kuscia_serving.imported
  id = "existing"
}

resource "kuscia_serving" "imported" {
  serving_id    = "existing"
  initiator     = "alice"
  affinity_mode = "none"
  parties = {
    alice = { app_image = kuscia_app_image.imported.name, resources = { min_cpu = "200m", max_cpu = "2" } }
    bob   = { app_image = kuscia_app_image.imported.name }
  }
}

resource "kuscia_app_image" "least" {
  name             = "least"
  image            = { name = "example/app", tag = "1.0" }
  deploy_templates = [{ name = "app", containers = [{ name = "app" }] }]
}

resource "kuscia_serving" "least" {
  serving_id           = "least"
  initiator            = "bob"
  serving_input_config = "any text"
  parties              = { bob = { app_image = kuscia_app_image.least.name } }
}

resource "kuscia_app_image" "full" {
  name = "full"
  image = {
    name = "example/app"
    tag  = "2.0"
    id   = "sha256-1"
    sign = "signature"
  }
  config_templates = {
    "app.conf"   = jsonencode({ serving_id = "{{.SERVING_ID}}", config = "{{.INPUT_CONFIG}}" })
    "other.conf" = "x"
  }
  deploy_templates = [
    {
      name           = "server"
      role           = "server"
      replicas       = 2
      restart_policy = "Always"
      containers = [
        {
          name                 = "app"
          command              = ["sh"]
          args                 = ["-c", "./app --role=server"]
          working_dir          = "/work"
          image_pull_policy    = "IfNotPresent"
          config_volume_mounts = [{ mount_path = "/work/app.conf", sub_path = "app.conf" }]
          ports = [
            { name = "global", protocol = "HTTP", scope = "Cluster" },
            { name = "rpc", protocol = "GRPC", scope = "Domain" },
            { name = "local" },
          ]
          env = [
            { name = "APP_NAME", value = "app" },
            { name = "EMPTY" },
          ]
          env_from = [
            { prefix = "CONFIG_", config_map_ref = { name = "config-template" } },
            { secret_ref = { name = "secret-template" } },
          ]
          resources = {
            limits   = { cpu = "1", memory = "1024Mi" }
            requests = { cpu = "100m", memory = "0.5Gi" }
          }
          liveness_probe = {
            http_get          = { path = "/healthz", port = "global", scheme = "HTTP", http_headers = [{ name = "X-Probe", value = "1" }] }
            failure_threshold = 1
            period_seconds    = 20
          }
          readiness_probe = {
            exec                  = { command = ["cat", "/tmp/healthy"] }
            initial_delay_seconds = 5
            success_threshold     = 2
          }
          startup_probe = {
            tcp_socket                       = { port = "rpc" }
            timeout_seconds                  = 3
            termination_grace_period_seconds = 7
          }
        },
        { name = "sidecar", liveness_probe = { grpc = { port = 50051, service = "health" } } },
      ]
    },
    { name = "client", role = "client,observer", containers = [{ name = "app" }] },
  ]
}

resource "kuscia_serving" "full" {
  serving_id           = "full"
  initiator            = "alice"
  affinity_mode        = "anti-affinity"
  serving_input_config = jsonencode({ parties = { alice = { model = "m1" } } })
  parties = {
    bob = {
      role      = "client"
      app_image = kuscia_app_image.full.name
    }
    host = {
      domain_id           = "alice"
      role                = "server"
      app_image           = kuscia_app_image.full.name
      replicas            = var.replicas
      service_name_prefix = "full-a"
      update_strategy     = { type = "RollingUpdate", max_surge = "1", max_unavailable = "0" }
      resources           = { min_cpu = "0.5", max_cpu = "2" }
      container_resources = { app = { min_memory = "512Mi", max_memory = "2Gi" } }
    }
  }
  redeploy_triggers = { image = kuscia_app_image.full.rollout_revision }
  wait_for_rollout  = true
  timeouts          = { create = "5m", update = "5m", delete = "5m" }
}

data "kuscia_serving" "full" {
  serving_id = kuscia_serving.full.serving_id
}

data "kuscia_serving_status" "all" {
  serving_ids = [kuscia_serving.least.serving_id, kuscia_serving.full.serving_id]
}

data "kuscia_app_image" "least" {
  name = kuscia_app_image.least.name
}

output "initiator" {
  value = data.kuscia_serving.full.initiator
}

output "all_available" {
  value = data.kuscia_serving_status.all.all_available
}

output "endpoints" {
  value = kuscia_serving.full.endpoints
}
