alice_endpoint = "http://127.0.0.1:8182"
bucket_key     = { id = "id", secret = "secret" }
