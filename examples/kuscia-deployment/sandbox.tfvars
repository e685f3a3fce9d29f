kubeconfig = "/tmp/kuscia-sandbox/kubeconfig"
