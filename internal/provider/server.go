package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/bounded"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/fastpath"
)

// NewServer returns the factory of the provider server. quiet turns logs off.
func NewServer(build Build, quiet bool, options ...Option) func() tfprotov6.ProviderServer {
	return func() tfprotov6.ProviderServer {
		p := newProvider(build, options)
		options := fastpath.Options{
			FastValidate:    map[string]fastpath.FastValidate{},
			NoOpPlan:        map[string]fastpath.NoOpPlan{},
			NoOpRead:        map[string]fastpath.NoOpRead{},
			Responded:       func() []string { return p.provided.Load().Responded() },
			ExpectResponses: func(servers []string) { p.provided.Load().ExpectResponses(servers) },
			Release:         quiet,
		}
		for _, object := range collect(func(t crud.Types) []crud.Shortcuts { return t.Shortcuts }) {
			p.addShortcuts(options, object)
		}
		return bounded.Wrap(fastpath.Wrap(providerserver.NewProtocol6(p)(), options))
	}
}

// addShortcuts adds the shortcuts of a resource.
func (p *kusciaProvider) addShortcuts(options fastpath.Options, object crud.Shortcuts) {
	name := object.ResourceType()
	options.FastValidate[name] = object.FastValidate
	options.NoOpPlan[name] = func(ctx context.Context, config, prior map[string]any, private map[string][]byte) bool {
		return object.NoOpPlan(ctx, p.provided.Load(), config, prior, private)
	}
	options.NoOpRead[name] = func(ctx context.Context, state map[string]any, private map[string][]byte) (context.Context, map[string]string, bool) {
		return object.NoOpRead(ctx, p.provided.Load(), state, private)
	}
}
