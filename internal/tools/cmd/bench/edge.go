//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
)

// edge measures plans without changes of edge deployments, alternating with the
// same number of terraform_data. They are a separate family with fewer objects,
// so the start of the provider has a larger share in the results; they have no
// goal.
func (b *bench) edge(ctx context.Context) (err error) {
	n := b.edges
	box, err := startSandbox(ctx, b.path("kuscia-sandbox"), b.path("edge certs"), podStart, "--ief", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, box.Close()) }()
	return b.compare(ctx, n,
		subject{name: edgePlan, requests: box, text: edgeDeployments(n, box.Edge)},
		subject{name: edgePlan + ", terraform_data", text: idleEdge(n)})
}

// edgePlan is the name of the row.
const edgePlan = "plan, edge deployments"

// edgeBody contains the values that an edge deployment and a terraform_data
// have in common.
const edgeBody = `
    name     = "lite-${count.index}"
    node_ids = ["node-1"]
    containers = [{
      name      = "kuscia"
      image_url = "example.com/kuscia:1"
      command   = ["sh", "-c", "start"]
      envs      = [{ name = "DOMAIN", value = sensitive("domain-${count.index}") }]
      resources = { limits = { cpu = "1", memory = "1Gi" }, requests = { cpu = "250m", memory = "512Mi" } }
      volumes   = [{ name = "data", type = "hostPath", source = "/data", destination = "/data" }]
      ports     = [{ container_port = 1080, host_port = 11080 }]
    }]
`

func edgeDeployments(n int, access string) string {
	return fmt.Sprintf(requiredProvider, "kuscia") + "provider \"kuscia\" {\n" + access + "}\n" + fmt.Sprintf(`
resource "kuscia_edge_deployment" "all" {
  count = %d
%s}
`, n, edgeBody)
}

func idleEdge(n int) string {
	return fmt.Sprintf(`
resource "terraform_data" "all" {
  count = %d
  input = {
%s  }
}
`, n, edgeBody)
}
