# The servings to import, keyed by serving_id, configured as they are in Kuscia.
locals {
  servings = {
    glm = { domains = ["alice", "bob"], app_image = "scores", replicas = 2 }
    xgb = { domains = ["alice"], app_image = "scores", replicas = 1 }
  }
}

# The KusciaAPI cannot list servings, but it reports which of these exist.
data "kuscia_serving_status" "known" {
  serving_ids = keys(local.servings)
}

# Only existing servings can be imported. The import block may stay: Terraform
# ignores it for resources that are already in the state.
import {
  for_each = data.kuscia_serving_status.known.servings
  to       = kuscia_serving.imported[each.key]
  id       = each.key
}

resource "kuscia_serving" "imported" {
  for_each = local.servings

  serving_id = each.key
  initiator  = each.value.domains[0]

  # Without serving_input_config, an imported serving keeps its configuration.
  parties = {
    for domain in each.value.domains : domain => {
      app_image = each.value.app_image
      replicas  = each.value.replicas
    }
  }
}

# Warns about IDs that do not exist in Kuscia. Apply would create these
# servings.
check "every_serving_is_there" {
  assert {
    condition     = length(data.kuscia_serving_status.known.missing_serving_ids) == 0
    error_message = "Not in Kuscia, and would be created: ${join(", ", data.kuscia_serving_status.known.missing_serving_ids)}."
  }
}
