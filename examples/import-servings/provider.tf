terraform {
  required_version = ">= 1.7" # import blocks with for_each

  required_providers {
    kuscia = {
      source = "terraform-kuscia/kuscia"
    }
  }
}

# The provider reads KUSCIA_ENDPOINT and KUSCIA_CERTS_DIR from the environment.
provider "kuscia" {}
