terraform {
  required_providers {
    http = {
      source  = "hashicorp/http"
      version = ">= 3.4.4" # sends the header Host
    }
  }
}
