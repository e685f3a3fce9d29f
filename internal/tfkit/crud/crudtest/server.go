// Package crudtest tests resources made by tfkit/crud over the plugin protocol:
// it compares complete responses, with and without shortcuts.
package crudtest

import (
	"context"
	"runtime/debug"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/fastpath"
)

// Object has the methods of crud.Object that a server needs.
type Object interface {
	crud.Shortcuts
	NewResource() resource.Resource
}

// State is what Terraform stores for a resource.
type State = protocol.State

// Messages formats diagnostics, one per line.
func Messages(diagnostics []*tfprotov6.Diagnostic) string { return protocol.Messages(diagnostics) }

// Server is a provider with one resource.
type Server struct {
	*protocol.Resource
	// Taken counts the requests that each shortcut answered, by its name.
	Taken map[string]int
}

// NewServer serves a resource without shortcuts.
func NewServer(t testing.TB, o Object, c *run.Run) *Server {
	t.Helper()
	return newServer(t, o, c, func(inner tfprotov6.ProviderServer, _ map[string]int) tfprotov6.ProviderServer { return inner })
}

// NewFastServer serves a resource with its shortcuts. A panic in one, after which
// the framework answers, fails the test.
func NewFastServer(t testing.TB, o Object, c *run.Run) *Server {
	t.Helper()
	return newServer(t, o, c, func(inner tfprotov6.ProviderServer, taken map[string]int) tfprotov6.ProviderServer {
		var mu sync.Mutex
		count := func(name string, ok bool) bool {
			mu.Lock()
			defer mu.Unlock()
			if ok {
				taken[name]++
			}
			return ok
		}
		name := o.ResourceType()
		return fastpath.Wrap(inner, fastpath.Options{
			Release: true,
			FastValidate: map[string]fastpath.FastValidate{name: func(ctx context.Context, config map[string]any) bool {
				defer noPanic(t)
				return count("validate", o.FastValidate(ctx, config))
			}},
			NoOpPlan: map[string]fastpath.NoOpPlan{name: func(ctx context.Context, config, prior map[string]any, private map[string][]byte) bool {
				defer noPanic(t)
				return count("plan", o.NoOpPlan(ctx, c, config, prior, private))
			}},
			NoOpRead: map[string]fastpath.NoOpRead{name: func(ctx context.Context, state map[string]any, private map[string][]byte) (context.Context, map[string]string, bool) {
				defer noPanic(t)
				next, identity, ok := o.NoOpRead(ctx, c, state, private)
				return next, identity, count("read", ok)
			}},
		})
	})
}

// noPanic is deferred.
func noPanic(t testing.TB) {
	if value := recover(); value != nil {
		t.Errorf("a shortcut panicked: %v\n%s", value, debug.Stack())
	}
}

func newServer(t testing.TB, o Object, c *run.Run, wrap func(tfprotov6.ProviderServer, map[string]int) tfprotov6.ProviderServer) *Server {
	t.Helper()
	s := &Server{Taken: map[string]int{}}
	inner := wrap(providerserver.NewProtocol6(&oneResource{o.NewResource, c})(), s.Taken)
	s.Resource = protocol.NewServer(t, inner).Configure(t, nil).Resource(t, o.ResourceType())
	return s
}

// oneResource is a provider with one resource and an empty schema.
type oneResource struct {
	resource func() resource.Resource
	run      *run.Run
}

func (p *oneResource) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "kuscia"
}

func (p *oneResource) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse) {}

func (p *oneResource) Configure(_ context.Context, _ provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	resp.ResourceData = p.run
}

func (p *oneResource) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{p.resource}
}

func (p *oneResource) DataSources(context.Context) []func() datasource.DataSource { return nil }
