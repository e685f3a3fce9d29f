resource "kuscia_domain" "alice_bank" {
  domain_id = "alice-bank"
}

ephemeral "kuscia_domain_deploy_token" "alice_bank" {
  domain_id = kuscia_domain.alice_bank.domain_id
}

# The node gets the token once the domain is there; no state and no plan has it.
resource "terraform_data" "node" {
  triggers_replace = kuscia_domain.alice_bank.id

  provisioner "local-exec" {
    command     = "umask 077 && printf %s \"$DEPLOY_TOKEN\" > deploy-token"
    environment = { DEPLOY_TOKEN = ephemeral.kuscia_domain_deploy_token.alice_bank.token }
  }
}
