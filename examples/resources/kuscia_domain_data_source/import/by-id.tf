import {
  to = kuscia_domain_data_source.folder
  id = "alice/folder"
}
