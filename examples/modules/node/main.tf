# Objects that only the node of a domain manages: data sources, and the config
# entries with their credentials. Requires a provider configured for that node.

resource "kuscia_domain_data_source" "folder" {
  for_each = var.folders

  domain_id     = var.domain_id
  datasource_id = each.key
  type          = "localfs"
  localfs       = { path = each.value }
}

resource "kuscia_config" "bucket" {
  for_each = var.buckets

  key = "bucket-${each.key}"
  value_wo = jsonencode({
    endpoint          = each.value.endpoint
    bucket            = each.value.bucket
    access_key_id     = var.bucket_keys[each.key].id
    access_key_secret = var.bucket_keys[each.key].secret
  })

  # Terraform cannot detect a change of a write-only value. This version changes
  # with the bucket's address and with keys_version.
  value_wo_version = parseint(substr(sha256(jsonencode(each.value)), 0, 8), 16) + 1
}

resource "kuscia_domain_data_source" "bucket" {
  for_each = var.buckets

  domain_id     = var.domain_id
  datasource_id = each.key
  type          = "oss"
  info_key      = kuscia_config.bucket[each.key].key
}
