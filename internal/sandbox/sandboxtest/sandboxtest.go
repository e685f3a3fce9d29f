// Package sandboxtest starts sandboxes for tests with the runs that
// resources use, and serves single resources that use them.
package sandboxtest

import (
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
)

// Start starts a sandbox that ends with the test, and begins a run with it.
// By default its clients do not retry; change modifies their configuration.
func Start(t testing.TB, options sandbox.Options, change ...func(*kuscia.Config)) (*sandbox.Sandbox, *run.Run) {
	t.Helper()
	box, err := sandbox.Start(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = box.Close() })
	config := kuscia.Config{Endpoint: box.Endpoint(), Token: box.Token()}
	for _, c := range change {
		c(&config)
	}
	api, err := kuscia.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return box, run.New(clients.Clients{Kuscia: api})
}

// Resource is a provider with one resource, and its sandbox.
type Resource struct {
	*crudtest.Server
	Box    *sandbox.Sandbox
	Run    *run.Run
	object crudtest.Object
}

// NewResource serves a resource with its own sandbox, without shortcuts.
func NewResource(t testing.TB, object crudtest.Object, options sandbox.Options, change ...func(*kuscia.Config)) *Resource {
	t.Helper()
	box, c := Start(t, options, change...)
	return &Resource{crudtest.NewServer(t, object, c), box, c, object}
}

// Fast serves the same resource in the same run, and with its shortcuts.
func (r *Resource) Fast(t testing.TB) *crudtest.Server {
	t.Helper()
	return crudtest.NewFastServer(t, r.object, r.Run)
}

// FastInNewRun is Fast in the next run of a CLI.
func (r *Resource) FastInNewRun(t testing.TB) *crudtest.Server {
	t.Helper()
	return crudtest.NewFastServer(t, r.object, run.New(r.Run.Clients))
}

// NextRun serves the resource in the next run of a CLI.
func (r *Resource) NextRun(t testing.TB) {
	t.Helper()
	r.Run = run.New(r.Run.Clients)
	r.Server = crudtest.NewServer(t, r.object, r.Run)
}

// Requests is the number of requests to the sandbox since the last call.
func (r *Resource) Requests() int {
	count := len(r.Box.Requests())
	r.Box.ResetRequests()
	return count
}

// eventuallyTimeout is how long a test waits for a controller of the sandbox.
const eventuallyTimeout = 10 * time.Second

// Eventually waits for an action of a controller of the sandbox.
func Eventually(t testing.TB, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(eventuallyTimeout); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal(what + " did not happen")
		}
	}
}
