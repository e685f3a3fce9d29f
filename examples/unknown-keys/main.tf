locals {
  parties = {
    alice = { app_image = "scores", replicas = 2 }
    bob   = { app_image = "scores", replicas = 2 }
  }

  # The attributes that an element of parties may have.
  party_keys = ["app_image", "container_resources", "domain_id", "replicas", "resources", "role", "service_name_prefix", "update_strategy"]
}

resource "kuscia_serving" "glm" {
  serving_id = "glm"
  initiator  = "alice"
  parties    = local.parties

  lifecycle {
    precondition {
      condition = alltrue([for party in local.parties : length(setsubtract(keys(party), local.party_keys)) == 0])
      error_message = "A party has attributes that kuscia_serving does not know: ${join(", ", distinct(flatten([
        for party in local.parties : setsubtract(keys(party), local.party_keys)
      ])))}."
    }
  }
}
