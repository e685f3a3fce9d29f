package faulttest_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
)

// testbed is a sandbox server with a simulated Terraform.
type testbed struct {
	server    *sandbox.Sandbox
	terraform *terraform
}

func newTestbed(t *testing.T, options sandbox.Options) *testbed {
	t.Helper()
	options.CertsDir, options.Token = t.TempDir(), plantedToken
	if options.Domains == nil {
		options.Domains = []string{"alice", "bob", "carol"}
	}
	server, err := sandbox.Start(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	b := &testbed{server: server, terraform: newTerraform(nil)}
	b.configureProvider(server.Endpoint(), "20s")
	return b
}

// configureProvider sets the provider block. It contains secrets that must not appear in
// any output.
func (b *testbed) configureProvider(endpoint, requestTimeout string) {
	b.terraform.providerBlock = attrs{
		"endpoint": endpoint, "token": plantedToken, "request_timeout": requestTimeout, "max_retries": 2,
		"custom_headers": attrs{"tenant": plantedHeader},
	}
}

// apply applies a configuration and compares every change that the provider
// reports as done with the objects on the server.
func (b *testbed) apply(t *testing.T, c configuration) *outcome {
	t.Helper()
	b.compareChanges(t, c)
	return b.terraform.applyChecked(t, c.resources())
}

// compareChanges compares every change that the provider reports as done with
// the objects on the server.
func (b *testbed) compareChanges(t *testing.T, c configuration) {
	t.Helper()
	b.terraform.done = func(address string, _ *object, gone bool) {
		if gone {
			if exists(b.server, address) {
				t.Errorf("%s was reported as deleted but still exists", address)
			}
			return
		}
		if difference := c.difference(b.server, address); difference != "" {
			t.Errorf("%s was reported as done but differs from the server: %s", address, difference)
		}
	}
}

// checkConverges applies without faults, then checks the server, an empty plan and
// an unchanged refresh.
func (b *testbed) checkConverges(t *testing.T, c configuration) {
	t.Helper()
	c = c.within("3m") // without an observed start, a rollout counts as complete only after servingstatus.StartTimeout
	b.compareChanges(t, c)
	b.terraform.checkConverges(t, c.resources(), func() []string { return c.differences(b.server) })
}

// operationOf is the operation of a request, such as serving/create.
func operationOf(r sandbox.Request) string { return strings.TrimPrefix(r.Op, "/api/v1/") }
