terraform {
  required_version = ">= 1.7" # import blocks with for_each

  required_providers {
    kuscia = {
      source = "terraform-kuscia/kuscia"
    }
  }
}

# Where Kuscia is comes from the environment: KUSCIA_ENDPOINT and KUSCIA_CERTS_DIR.
provider "kuscia" {}
