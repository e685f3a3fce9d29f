terraform {
  required_version = ">= 1.11" # Terraform or OpenTofu

  required_providers {
    kuscia = {
      source  = "terraform-kuscia/kuscia"
      version = "~> 0.1.0"
    }
  }
}
