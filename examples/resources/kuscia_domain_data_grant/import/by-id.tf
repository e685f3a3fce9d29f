import {
  to = kuscia_domain_data_grant.scores_to_bob
  id = "alice/scores-to-bob"
}
