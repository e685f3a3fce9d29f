import {
  to = kuscia_domain_data_grant.scores_to_bob
  identity = {
    domain_id          = "alice"
    domaindatagrant_id = "scores-to-bob"
  }
}
