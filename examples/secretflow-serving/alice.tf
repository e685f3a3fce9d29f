# What alice decides: her half of the model, and where her features come from.
locals {
  alice_models = {
    # A file in the image.
    file = {
      sourceType = "ST_FILE"
      sourcePath = "/root/sf_serving/examples/alice/glm-test.tar.gz"
    }
    # An object in the bucket that alice_bucket.tf has.
    bucket = {
      sourceType = "ST_OSS"
      sourcePath = "credit/${var.model_version}/alice.tar.gz"
    }
    # A server that answers GET with the package.
    http = {
      sourceType     = "ST_HTTP"
      sourcePath     = "https://models.alice.example/credit/${var.model_version}.tar.gz"
      httpSourceMeta = { connectTimeoutMs = 5000, timeoutMs = 120000 }
    }
    # Data of her domain, see alice_data_mesh.tf.
    data_mesh = {
      sourceType   = "ST_DP"
      sourcePath   = kuscia_domain_data.alice_model.domaindata_id
      dpSourceMeta = {}
    }
  }

  alice_features = {
    # Random numbers, to try a model.
    mock = { mockOpts = { type = "MDT_RANDOM" } }
    # A feature service of alice.
    http = {
      httpOpts = {
        endpoint  = "http://features.alice.example/BatchFeatureService/BatchFetchFeature"
        timeoutMs = 1000
      }
    }
    # A table in the image; query_datas of a request are values of the column id.
    csv = { csvOpts = { filePath = "/root/features.csv", idName = "id" } }
  }

  alice = {
    serverConfig        = { featureMapping = { age = "x1", income = "x2" } }
    modelConfig         = merge(local.alice_models[var.alice_model_from], { modelId = "credit-${var.model_version}", basePath = "/tmp/models" })
    featureSourceConfig = local.alice_features[var.alice_features_from]
    channelDesc         = { protocol = "http" }
  }
}
