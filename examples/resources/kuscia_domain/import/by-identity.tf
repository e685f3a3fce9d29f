import {
  to = kuscia_domain.alice_bank
  identity = {
    domain_id = "alice-bank"
  }
}
