import {
  to = kuscia_domain_data_source.folder
  identity = {
    domain_id     = "alice"
    datasource_id = "folder"
  }
}
