import {
  to = kuscia_config.oss
  identity = {
    key = "oss-credentials"
  }
}
