import {
  to = kuscia_app_image.serving
  id = "secretflow-serving"
}

import {
  to = kuscia_serving.glm
  id = "glm"
}

import {
  to = kuscia_domain.carol
  id = "carol-bank"
}

import {
  to = kuscia_domain_route.alice_to_carol
  id = "alice/carol-bank"
}

import {
  to = kuscia_config.warehouse
  id = "warehouse"
}

import {
  to = kuscia_domain_data_source.bucket
  id = "alice/bucket"
}

import {
  to = kuscia_domain_data.scores
  id = "alice/scores"
}

import {
  to = kuscia_domain_data_grant.scores_to_carol
  id = "alice/scores-to-carol"
}
