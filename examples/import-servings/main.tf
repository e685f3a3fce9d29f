# The servings to manage, by serving_id, as they are in Kuscia.
locals {
  servings = {
    glm = { domains = ["alice", "bob"], app_image = "secretflow-serving", replicas = 2 }
    xgb = { domains = ["alice"], app_image = "secretflow-serving", replicas = 1 }
  }
}

# KusciaAPI cannot list servings. It can tell which of these it has.
data "kuscia_serving_status" "known" {
  serving_ids = keys(local.servings)
}

# Only what is there can be imported. The block may stay: what is in the state
# already is left alone.
import {
  for_each = data.kuscia_serving_status.known.servings
  to       = kuscia_serving.imported[each.key]
  id       = each.key
}

resource "kuscia_serving" "imported" {
  for_each = local.servings

  serving_id = each.key
  initiator  = each.value.domains[0]

  # serving_input_config is left out: an imported serving keeps its own.
  parties = [
    for domain in each.value.domains : {
      domain_id = domain
      app_image = each.value.app_image
      replicas  = each.value.replicas
    }
  ]
}

# A warning with the ids that Kuscia does not know. Apply would create these.
check "every_serving_is_there" {
  assert {
    condition     = length(data.kuscia_serving_status.known.missing_serving_ids) == 0
    error_message = "Not in Kuscia, and would be created: ${join(", ", data.kuscia_serving_status.known.missing_serving_ids)}."
  }
}
