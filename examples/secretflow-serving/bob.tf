# What bob decides. In practice his organization sends it, or keeps it in a module of its own.
locals {
  bob = {
    serverConfig = { featureMapping = { balance = "x3" } }
    modelConfig = {
      modelId    = "credit-${var.model_version}"
      basePath   = "/tmp/models"
      sourceType = "ST_FILE"
      sourcePath = "/root/sf_serving/examples/bob/glm-test.tar.gz"
    }
    featureSourceConfig = { mockOpts = {} }
    channelDesc         = { protocol = "http" }
  }
}
