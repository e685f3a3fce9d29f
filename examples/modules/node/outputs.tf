output "data_sources" {
  description = "IDs of the data sources, known after they are created."
  value = merge(
    { for name, source in kuscia_domain_data_source.folder : name => source.datasource_id },
    { for name, source in kuscia_domain_data_source.bucket : name => source.datasource_id },
  )
}
