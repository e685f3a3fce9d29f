//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// deploymentsPlan is the name of the row, manifestsPlan that of the same
// objects with another provider.
const (
	deploymentsPlan = "plan, deployments"
	manifestsPlan   = "plan, kubernetes_manifest"
)

// deployments measures plans without changes of KusciaDeployments: with
// kuscia_deployment, with the same number of terraform_data, and with
// kubernetes_manifest if that provider is available.
func (b *bench) deployments(ctx context.Context) (err error) {
	n := b.kusciaDeployments
	c, err := startCluster(ctx, filepath.Join(b.bin, "kubetest"), b.path("cluster"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	if err := c.create(ctx, "/apis/kuscia.secretflow/v1alpha1/appimages", benchAppImage); err != nil {
		return err
	}
	b.ws.Setenv("KUBE_CONFIG_PATH", c.kubeconfig)
	subjects := []subject{
		{name: deploymentsPlan, requests: c, text: fmt.Sprintf(requiredProvider, "kuscia") + fmt.Sprintf("provider \"kuscia\" {\n  kubernetes = { config_path = %q }\n}\n", c.kubeconfig) +
			fmt.Sprintf("\nresource \"kuscia_deployment\" \"all\" {\n  count = %d\n%s}\n", n, deploymentBody)},
		{name: deploymentsPlan + ", terraform_data", text: fmt.Sprintf("resource \"terraform_data\" \"all\" {\n  count = %d\n  input = {\n%s  }\n}\n", n, deploymentBody)},
	}
	if b.kubernetesProvider != "" {
		subjects = append(subjects, subject{name: manifestsPlan, requests: c, otherProvider: true, text: manifests(n)})
	}
	return b.compare(ctx, n, subjects...)
}

// deploymentBody contains the values that a kuscia_deployment and a
// terraform_data have in common.
const deploymentBody = `
    name         = "d-${count.index}"
    initiator    = "alice"
    input_config = jsonencode({ model = "m-${count.index}" })
    parties = {
      alice = {
        app_image  = "app"
        replicas   = 1
        containers = { app = { requests = { cpu = "100m", memory = "128Mi" }, limits = { cpu = "1", memory = "1Gi" } } }
      }
    }
`

// manifests returns the same KusciaDeployments with other names, for the
// Kubernetes provider. Fields written by controllers are omitted, so that plans
// are empty.
func manifests(n int) string {
	return fmt.Sprintf(`terraform {
  required_providers {
    kubernetes = { source = "hashicorp/kubernetes" }
  }
}

resource "kubernetes_manifest" "all" {
  count = %d
  manifest = {
    apiVersion = "kuscia.secretflow/v1alpha1"
    kind       = "KusciaDeployment"
    metadata   = { name = "m-${count.index}", namespace = "cross-domain" }
    spec = {
      initiator   = "alice"
      inputConfig = jsonencode({ model = "m-${count.index}" })
      parties = [{
        domainID    = "alice"
        appImageRef = "app"
        template = {
          replicas = 1
          spec = { containers = [{
            name       = "app"
            workingDir = "/"
            resources  = { requests = { cpu = "100m", memory = "128Mi" }, limits = { cpu = "1", memory = "1Gi" } }
          }] }
        }
      }]
    }
  }
}
`, n)
}

// benchAppImage is the app image of all KusciaDeployments.
var benchAppImage = map[string]any{
	"apiVersion": "kuscia.secretflow/v1alpha1", "kind": "AppImage", "metadata": map[string]any{"name": "app"},
	"spec": map[string]any{
		"image": map[string]any{"name": "example.com/app", "tag": "1"},
		"deployTemplates": []any{map[string]any{"name": "app", "spec": map[string]any{"containers": []any{map[string]any{
			"name": "app", "workingDir": "/", "ports": []any{map[string]any{"name": "http", "protocol": "HTTP", "scope": "Cluster"}},
		}}}}},
	},
}

// linkKubernetesProvider makes the Kubernetes provider available to the CLI.
func (b *bench) linkKubernetesProvider() error {
	if b.kubernetesProvider == "" {
		return nil
	}
	program, err := filepath.Abs(b.kubernetesProvider)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(b.path("kubernetes"), 0o755); err != nil {
		return err
	}
	return os.Symlink(program, b.path("kubernetes/terraform-provider-kubernetes"))
}

// checkDeploymentGoals compares the plan with its goals.
func (b *bench) checkDeploymentGoals() {
	r := &b.report
	plan, measured := r.row(deploymentsPlan)
	if !measured {
		return
	}
	r.atMost("provider CPU, deployments", plan.PerItem.Seconds()*1000, objectCPULimit.Seconds()*1000, "ms")
	r.atMost("requests of a plan, deployments", float64(plan.Requests.total()), 5, "calls")
	if other, ok := r.row(manifestsPlan); ok {
		r.atMost("plan of deployments beside kubernetes_manifest", plan.Wall.Seconds()/other.Wall.Seconds(), 1, "x")
	}
}
