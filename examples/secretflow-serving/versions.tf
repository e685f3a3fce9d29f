terraform {
  required_version = ">= 1.11" # Terraform or OpenTofu, for write-only values

  required_providers {
    kuscia = {
      source = "terraform-kuscia/kuscia"
    }
  }
}
