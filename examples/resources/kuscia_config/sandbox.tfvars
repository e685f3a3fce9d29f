access_key_secret = "secret"
