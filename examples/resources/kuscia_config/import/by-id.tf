import {
  to = kuscia_config.oss
  id = "oss-credentials"
}
