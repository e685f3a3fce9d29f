terraform {
  required_providers {
    kuscia = {
      source = "terraform-kuscia/kuscia"
    }
  }
}

# The master and IEF come from the environment: KUSCIA_ENDPOINT,
# KUSCIA_CERTS_DIR, HW_REGION_NAME, HW_PROJECT_ID, HW_ACCESS_KEY, HW_SECRET_KEY.
provider "kuscia" {}
