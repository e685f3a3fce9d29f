data "kuscia_domain_data" "scores" {
  domain_id     = "alice"
  domaindata_id = "scores"
}

output "score_columns" {
  value = data.kuscia_domain_data.scores.columns[*].name
}
