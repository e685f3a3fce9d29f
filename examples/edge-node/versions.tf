terraform {
  required_providers {
    kuscia = {
      source = "terraform-kuscia/kuscia"
    }
  }
}

# The provider reads the configuration for the master and IEF from the
# environment: KUSCIA_ENDPOINT, KUSCIA_CERTS_DIR, HW_REGION_NAME, HW_PROJECT_ID,
# HW_ACCESS_KEY, HW_SECRET_KEY.
provider "kuscia" {}
