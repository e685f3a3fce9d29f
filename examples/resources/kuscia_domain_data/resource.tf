# A table of alice, in the default data source that her node creates.
resource "kuscia_domain_data" "scores" {
  domain_id     = "alice"
  domaindata_id = "scores"
  type          = "table"
  relative_uri  = "scores/2026.csv"
  file_format   = "CSV"

  columns = [
    { name = "id", type = "str", not_nullable = true },
    { name = "score", type = "float", comment = "0 to 1" },
  ]
  attributes = {
    source = "warehouse"
  }
}

# The minimal configuration. The name is the last part of the path, "fraud".
resource "kuscia_domain_data" "model" {
  domain_id     = "alice"
  domaindata_id = "fraud"
  type          = "model"
  relative_uri  = "models/fraud"
}
