edge_node_id    = "node-1"
master_endpoint = "https://master.example:1080"
deploy_token    = "secret"
