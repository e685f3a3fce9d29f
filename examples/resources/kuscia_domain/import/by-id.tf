import {
  to = kuscia_domain.alice_bank
  id = "alice-bank"
}
