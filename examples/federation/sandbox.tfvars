master = { endpoint = "http://127.0.0.1:8082", certs_dir = "/tmp/kuscia-sandbox" }
nodes = {
  alice = { endpoint = "http://127.0.0.1:8182", certs_dir = "/tmp/kuscia-sandbox/alice" }
  bob   = { endpoint = "http://127.0.0.1:8282", certs_dir = "/tmp/kuscia-sandbox/bob" }
}
start_node = <<-EOT
  curl --fail-with-body --silent --show-error http://127.0.0.1:8082/sandbox/join \
    --data "{\"token\": \"$DEPLOY_TOKEN\"}"
EOT

alice_bucket_key = { id = "id", secret = "secret" }
