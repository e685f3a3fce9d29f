provider "kuscia" {
  kubernetes = {
    config_path    = pathexpand("~/.kube/kuscia")
    config_context = "terraform"
  }
}
