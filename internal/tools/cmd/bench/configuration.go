//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// body contains the values that a serving and a terraform_data have in common:
// the configuration text and the name of the app image.
const body = `
    initiator            = "alice"
    serving_input_config = %[2]s
    parties = {
      alice = {
        role                = "server"
        app_image           = %[1]s
        replicas            = 2
        update_strategy     = { type = "RollingUpdate", max_surge = "25%%", max_unavailable = "25%%" }
        container_resources = { app = { min_cpu = "100m", max_cpu = "1", min_memory = "128Mi", max_memory = "1Gi" } }
      }
      bob = {
        role            = "client"
        app_image       = %[1]s
        replicas        = 1
        update_strategy = { type = "RollingUpdate", max_surge = "50%%", max_unavailable = "1" }
        resources       = { min_cpu = "200m", max_cpu = "2", min_memory = "256Mi", max_memory = "2Gi" }
      }
    }
`

const inputConfig = `jsonencode({ model = "m-${count.index}", nodes = ["a", "b"], threshold = 0.5 })`

// blockSize is the maximum number of servings in one resource block. The CLI
// copies all instances of a block for each of them, so the cost is quadratic.
const blockSize = 1000

const requiredProvider = `terraform {
  required_providers {
    %[1]s = { source = "terraform-kuscia/%[1]s" }
  }
}

`

func servings(n int) string {
	text := fmt.Sprintf(requiredProvider, "kuscia") + `resource "kuscia_app_image" "app" {
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
`
	for first := 0; first < n; first += blockSize {
		text += fmt.Sprintf(`
resource "kuscia_serving" "from_%[1]d" {
  count      = %[2]d
  serving_id = "s-${%[1]d + count.index}"
%[3]s}
`, first, min(blockSize, n-first), fmt.Sprintf(body, "kuscia_app_image.app.name", inputConfig))
	}
	return text
}

// servingID returns the ID of an instance in the configuration of servings.
func servingID(resourceName string, key int) (id string, ok bool) {
	first, err := strconv.Atoi(strings.TrimPrefix(resourceName, "from_"))
	return fmt.Sprintf("s-%d", first+key), err == nil
}

// baselineConfiguration returns the same number of resources that do nothing, with the same
// values: the same reference to another resource, and a sensitive text as in a
// serving.
func baselineConfiguration(n int) string {
	text := `resource "terraform_data" "app" {
  input = "app"
}
`
	for first := 0; first < n; first += blockSize {
		text += fmt.Sprintf(`
resource "terraform_data" "from_%[1]d" {
  count = %[2]d
  input = {
    serving_id = "s-${%[1]d + count.index}"
%[3]s  }
}
`, first, min(blockSize, n-first), fmt.Sprintf(body, "terraform_data.app.output", "sensitive("+inputConfig+")"))
	}
	return text
}

func unused(provider string) string {
	return fmt.Sprintf(requiredProvider, provider) + fmt.Sprintf("provider %q {}\n", provider)
}

// writeFolder creates a directory with one configuration.
func writeFolder(parent, name, text string) (string, error) {
	dir := filepath.Join(parent, name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	return dir, os.WriteFile(filepath.Join(dir, "main.tf"), []byte(text), 0o600)
}
