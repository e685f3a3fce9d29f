warehouse_password = "secret"
bucket_key         = { id = "id", secret = "secret" }
