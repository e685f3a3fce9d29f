variable "name" {
  type = string
}

variable "tag" {
  type    = string
  default = "0.2.0b0"
}

# Every attribute there is, as Kuscia's documents use them.
resource "kuscia_app_image" "test" {
  name = var.name

  image = {
    name = "secretflow/serving-anolis8"
    tag  = var.tag
    id   = "adlipoidu8yuahd6"
    sign = "nkdy7pad09iuadjd"
  }

  config_templates = {
    "serving-config.conf" = <<-EOT
      {
        "serving_id": "{{.SERVING_ID}}",
        "input_config": "{{.INPUT_CONFIG}}",
        "cluster_def": "{{.CLUSTER_DEFINE}}",
        "allocated_ports": "{{.ALLOCATED_PORTS}}"
      }
    EOT
    "other.conf"          = "x"
  }

  deploy_templates = [
    {
      name           = "app"
      role           = "server"
      replicas       = 2
      restart_policy = "Always"
      containers = [
        {
          name        = "app"
          command     = ["sh"]
          args        = ["-c", "./app --role=server"]
          working_dir = "/work"
          config_volume_mounts = [
            { mount_path = "/work/serving-config.conf", sub_path = "serving-config.conf" },
          ]
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
            limits   = { cpu = "0.5", memory = "1024Mi" }
            requests = { cpu = "100m", memory = "0.5Gi" }
          }
          liveness_probe = {
            http_get = {
              path         = "/healthz"
              port         = "global"
              scheme       = "HTTP"
              http_headers = [{ name = "X-Probe", value = "1" }]
            }
            failure_threshold = 1
            period_seconds    = 20
          }
          readiness_probe = {
            exec                  = { command = ["cat", "/tmp/healthy"] }
            initial_delay_seconds = 5
            period_seconds        = 5
            success_threshold     = 2
          }
          startup_probe = {
            tcp_socket                       = { port = "rpc" }
            failure_threshold                = 30
            timeout_seconds                  = 3
            termination_grace_period_seconds = 7
          }
          image_pull_policy = "IfNotPresent"
        },
        {
          name           = "sidecar"
          liveness_probe = { grpc = { port = 50051, service = "health" } }
        },
      ]
    },
    {
      name       = "app"
      role       = "client,observer"
      containers = [{ name = "app" }]
    },
  ]
}
