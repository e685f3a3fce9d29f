import {
  to = kuscia_domain_data.scores
  identity = {
    domain_id     = "alice"
    domaindata_id = "scores"
  }
}
