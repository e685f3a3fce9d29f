# The ID is the key.
terraform import kuscia_config.oss oss-credentials
