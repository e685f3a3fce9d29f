edge_node_id    = "node-1"
master_endpoint = "https://master.example:1080"
partner         = { domain_id = "bob", gateway = "gateway.bob.example" }
