terraform {
  required_version = ">= 1.11"

  required_providers {
    kuscia = {
      source = "terraform-kuscia/kuscia"
    }
  }
}
