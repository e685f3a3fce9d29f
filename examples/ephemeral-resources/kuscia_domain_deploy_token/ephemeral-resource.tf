resource "kuscia_domain" "alice_bank" {
  domain_id = "alice-bank"
}

ephemeral "kuscia_domain_deploy_token" "alice_bank" {
  domain_id = kuscia_domain.alice_bank.domain_id
  applying  = terraform.applying # needed where another provider block creates the domain
}

# Pass the token to the node after the domain is created. The token is not
# stored in state or plan files.
resource "terraform_data" "node" {
  triggers_replace = kuscia_domain.alice_bank.id

  provisioner "local-exec" {
    command     = "umask 077 && printf %s \"$DEPLOY_TOKEN\" > deploy-token"
    environment = { DEPLOY_TOKEN = ephemeral.kuscia_domain_deploy_token.alice_bank.token }
  }
}
