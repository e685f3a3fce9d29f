variable "names" {
  type = map(string)
}

variable "input" {
  type    = string
  default = "1"
}

# What comes out of it is known only after apply.
resource "terraform_data" "late" {
  input = {
    tag       = var.input
    empty     = ""
    number    = 2
    cpu       = "0.1"
    arguments = ["-c", var.input]
    templates = { "a.conf" = var.input }
    ports     = [{ name = "http", protocol = null, scope = "Domain" }]
    env       = { name = "LATE", value = var.input }
    resources = { limits = { cpu = "0.5", memory = null }, requests = null }
    probe = {
      exec       = null, tcp_socket = null, grpc = null
      http_get   = { path = "/", port = "http", host = null, scheme = null, http_headers = [] }
      period     = 3
      everything = null
    }
    image     = { name = "example/app", tag = var.input, id = null, sign = "" }
    container = { name = "app", command = ["sh"] }
    nothing   = null
  }
}

locals {
  late = terraform_data.late.output
}

resource "kuscia_app_image" "leaves" {
  name             = var.names.leaves
  image            = { name = "example/app", tag = local.late.tag, id = local.late.empty }
  config_templates = { "a.conf" = local.late.tag, "b.conf" = "known" }
  deploy_templates = [{
    name           = "app"
    role           = local.late.empty
    replicas       = local.late.number
    restart_policy = local.late.nothing
    containers = [{
      name        = "app"
      args        = ["-c", local.late.tag]
      working_dir = local.late.empty
      ports       = [{ name = "http", protocol = local.late.nothing }]
      config_volume_mounts = [
        { mount_path = "/a", sub_path = "a.conf" },
        { mount_path = "/b/${local.late.tag}", sub_path = "b.conf" },
      ]
      env               = [{ name = "A", value = local.late.tag }]
      env_from          = [{ prefix = local.late.empty, secret_ref = { name = local.late.tag } }]
      resources         = { limits = { cpu = local.late.cpu, memory = local.late.nothing } }
      liveness_probe    = { http_get = { port = "http", path = local.late.empty }, period_seconds = local.late.number }
      image_pull_policy = local.late.nothing
    }]
  }]
}

resource "kuscia_app_image" "objects" {
  name             = var.names.objects
  image            = local.late.image
  config_templates = local.late.templates
  deploy_templates = [{
    name = "app"
    containers = [
      merge(local.late.container, { name = "app" }),
      {
        name           = "second"
        args           = local.late.arguments
        ports          = local.late.ports
        env            = [local.late.env, { name = "KNOWN" }]
        resources      = local.late.resources
        liveness_probe = { http_get = local.late.probe.http_get }
        startup_probe  = local.late.nothing
      },
    ]
  }]
}

resource "kuscia_app_image" "templates" {
  name  = var.names.templates
  image = { name = "example/app", tag = "1" }
  deploy_templates = [
    for role in local.late.arguments : {
      name       = "app"
      role       = trimprefix(role, "-")
      containers = [{ name = "app" }]
    }
  ]
}

# With a name that is known only after apply.
resource "kuscia_app_image" "name" {
  count = 2

  name             = "${var.names.name}-${count.index}${local.late.empty}"
  image            = { name = "example/app", tag = "1" }
  deploy_templates = [{ name = "app", containers = [{ name = "app" }] }]
}
