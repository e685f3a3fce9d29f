# The ID is domain_id/domaindata_id.
terraform import kuscia_domain_data.scores alice/scores
