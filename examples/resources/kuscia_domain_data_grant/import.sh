# The ID is domain_id/domaindatagrant_id. description, signature and
# limit.initiator cannot be read; the first plan sends those that are configured.
terraform import kuscia_domain_data_grant.scores_to_bob alice/scores-to-bob
