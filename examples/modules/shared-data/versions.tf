terraform {
  required_version = ">= 1.8"

  required_providers {
    kuscia = {
      source = "terraform-kuscia/kuscia"
    }
  }
}
