//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// body is what a serving and a terraform_data have alike.
const body = `
    initiator            = "alice"
    serving_input_config = jsonencode({ model = "m-${count.index}", nodes = ["a", "b"], threshold = 0.5 })
    parties = [
      {
        domain_id       = "alice"
        role            = "server"
        app_image       = %[1]s
        replicas        = 2
        update_strategy = { type = "RollingUpdate", max_surge = "25%%", max_unavailable = "25%%" }
        resources       = [{ container_name = "app", min_cpu = "100m", max_cpu = "1", min_memory = "128Mi", max_memory = "1Gi" }]
      },
      {
        domain_id       = "bob"
        role            = "client"
        app_image       = %[1]s
        replicas        = 1
        update_strategy = { type = "RollingUpdate", max_surge = "50%%", max_unavailable = "1" }
        resources       = [{ min_cpu = "200m", max_cpu = "2", min_memory = "256Mi", max_memory = "2Gi" }]
      },
    ]
`

const requiredProvider = `terraform {
  required_providers {
    %[1]s = { source = "terraform-kuscia/%[1]s" }
  }
}

`

func servings(n int) string {
	return fmt.Sprintf(requiredProvider, "kuscia") + fmt.Sprintf(`resource "kuscia_app_image" "app" {
  name  = "app"
  image = { name = "example.com/app", tag = "1" }
  deploy_templates = [{
    name = "app"
    containers = [{
      name  = "app"
      ports = [{ name = "http", protocol = "HTTP", scope = "Cluster" }]
    }]
  }]
}

resource "kuscia_serving" "s" {
  count      = %d
  serving_id = "s-${count.index}"
%s}
`, n, fmt.Sprintf(body, "kuscia_app_image.app.name"))
}

// idle is as many resources with the same values that do nothing. Each reads
// its values from one place as the servings do.
func idle(n int) string {
	return fmt.Sprintf(`locals {
  app = "app"
}

resource "terraform_data" "s" {
  count = %d
  input = {
    serving_id = "s-${count.index}"
%s  }
}
`, n, fmt.Sprintf(body, "local.app"))
}

// statuses asks for the status of all servings at once.
func statuses(n int) string {
	return fmt.Sprintf(requiredProvider, "kuscia") + fmt.Sprintf(`data "kuscia_serving_status" "all" {
  serving_ids = [for i in range(%d) : "s-${i}"]
}
`, n)
}

func unused(provider string) string {
	return fmt.Sprintf(requiredProvider, provider) + fmt.Sprintf("provider %q {}\n", provider)
}

// writeFolder makes a folder with one configuration.
func writeFolder(parent, name, text string) (string, error) {
	dir := filepath.Join(parent, name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	return dir, os.WriteFile(filepath.Join(dir, "main.tf"), []byte(text), 0o600)
}
