package faulttest_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	api "github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	sandbox "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief/ieftest"
)

// edgeKind is edge deployments, with a variable image, in a version of the API.
func edgeKind(version api.Version) objectKind {
	return objectKind{
		typeName: "kuscia_edge_deployment", api: "ief", plural: "edge deployments " + string(version), start: startEdge,
		calls: map[string][]string{"create": {"POST ", "GET /deployments", "GET "}, "update": {"PUT ", "GET "}, "delete": {"DELETE ", "GET "}},
		config: func(o objectSpec, c configuration) attrs {
			return attrs{
				"name": o.name, "node_ids": []any{"node-1"}, "api_version": string(version),
				"containers": []any{attrs{"name": "app", "image_url": edgeImage(o), "envs": []any{attrs{"name": "KEY", "value": plantedKey}}}},
				"timeouts":   attrs{"create": c.timeout, "update": c.timeout, "delete": "10s"},
			}
		},
		stored: func(b *testbed, o objectSpec) string {
			options := b.edge.Options()
			client, err := api.New(api.Config{Endpoint: b.endpoint, ProjectID: options.ProjectID, Token: options.Token})
			must(err)
			all, err := client.List(context.Background(), api.Scope{Version: version}, api.Filter{}, 0)
			must(err)
			var found []string
			for _, d := range all {
				if d.Name == o.name {
					found = append(found, d.Template.Containers[0].ImageURL)
				}
			}
			return strings.Join(found, ", ")
		},
		desired: edgeImage,
	}
}

func edgeImage(o objectSpec) string { return fmt.Sprint("app:", o.n) }

func init() {
	registerKind(edgeKind(api.V3))
	registerKind(edgeKind(api.V2))
}

func startEdge(t *testing.T, k objectKind) *testbed {
	t.Helper()
	server := ieftest.Start(t, sandbox.Options{SecretKey: plantedSecretKey, SecurityToken: plantedSecurityToken, Timing: sandbox.QuickTiming()})
	return (&testbed{edge: server, endpoint: server.Endpoint(), handler: server, faults: server, kinds: []objectKind{k}}).configured()
}
