terraform import kuscia_domain.alice_bank alice-bank
