resource "kuscia_app_image" "serving" {
  # Each version has its own app image.
  name  = "secretflow-serving-${var.tag}"
  image = { name = "secretflow/serving-anolis8", tag = var.tag }

  deploy_templates = [
    {
      name = "secretflow"
      containers = [
        {
          name        = "secretflow"
          working_dir = "/root/sf_serving"
          command     = ["./secretflow_serving", "--flagfile=conf/gflags.conf"]
          ports = [
            { name = "service", protocol = "HTTP", scope = "Domain" },
            { name = "communication", protocol = "HTTP", scope = "Cluster" },
          ]
        },
      ]
    },
  ]

  # The new app image is created before the serving uses it, and the old one is
  # deleted when no serving uses it any more.
  lifecycle {
    create_before_destroy = true
  }
}
