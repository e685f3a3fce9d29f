resource "kuscia_domain_data" "this" {
  domain_id     = var.owner
  domaindata_id = var.id
  datasource_id = var.datasource_id
  type          = var.type
  relative_uri  = var.relative_uri
  file_format   = var.file_format
  columns       = var.columns
}

# Kuscia deletes the grants of deleted domain data. A grant that refers to the
# data is therefore replaced together with them.
resource "kuscia_domain_data_grant" "this" {
  for_each = var.readers

  domain_id          = kuscia_domain_data.this.domain_id
  domaindata_id      = kuscia_domain_data.this.domaindata_id
  domaindatagrant_id = "${var.id}-${each.key}"
  grant_domain       = each.key
  limit              = each.value.expiration_time == null && each.value.use_count == null ? null : each.value
}
