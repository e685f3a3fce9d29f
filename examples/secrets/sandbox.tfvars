kuscia_token       = "without-TLS-it-is-not-checked"
storage_access_key = "access-key"
storage_secret_key = "secret-key"
