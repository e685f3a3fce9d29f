terraform {
  required_providers {
    kuscia = {
      source = "terraform-kuscia/kuscia"
    }
  }
}
