# The ID is source/destination.
terraform import kuscia_domain_route.alice_to_bob alice/bob
