# The ID is domain_id/datasource_id.
terraform import kuscia_domain_data_source.folder alice/folder
