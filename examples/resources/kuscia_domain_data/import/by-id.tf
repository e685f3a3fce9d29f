import {
  to = kuscia_domain_data.scores
  id = "alice/scores"
}
