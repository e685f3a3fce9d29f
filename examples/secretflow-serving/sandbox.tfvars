alice_node        = { endpoint = "http://127.0.0.1:8182", certs_dir = "/tmp/kuscia-sandbox/alice" }
alice_bucket      = { endpoint = "https://oss.example", bucket = "models" }
alice_bucket_keys = { access_key = "access-key", secret_key = "secret-key" }
