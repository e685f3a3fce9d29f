nodes = {
  alice = { endpoint = "http://127.0.0.1:8082", certs_dir = null }
  bob   = { endpoint = "http://127.0.0.1:8083", certs_dir = null }
}
