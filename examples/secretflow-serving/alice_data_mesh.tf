# The model as data of alice's domain. Nobody else can read it without a grant.
resource "kuscia_domain_data" "alice_model" {
  domain_id     = "alice"
  domaindata_id = "credit-model-${var.model_version}"
  type          = "model"
  relative_uri  = "credit/${var.model_version}/alice.tar.gz"

  # The version that is replaced stays until the pods are.
  lifecycle {
    create_before_destroy = true
  }
}
