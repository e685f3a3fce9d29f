# A domain of this cluster. The first node that joins provides its certificate.
resource "kuscia_domain" "alice_bank" {
  domain_id = "alice-bank"
}

# A domain that another cluster runs.
resource "kuscia_domain" "partner" {
  domain_id = "carol-bank"
  role      = "partner"

  auth_center = {
    authentication_type = "Token"
    token_gen_method    = "UID-RSA-GEN"
  }
}
