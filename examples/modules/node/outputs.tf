output "data_sources" {
  description = "The ids of the data sources, once they exist."
  value = merge(
    { for name, source in kuscia_domain_data_source.folder : name => source.datasource_id },
    { for name, source in kuscia_domain_data_source.bucket : name => source.datasource_id },
  )
}
