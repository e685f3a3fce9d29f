data "kuscia_config" "oss" {
  key = "oss-credentials"
}

output "bucket" {
  value = nonsensitive(jsondecode(data.kuscia_config.oss.value).bucket)
}
