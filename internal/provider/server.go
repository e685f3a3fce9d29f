package provider

import (
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/status"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/fastpath"
)

// NewServer returns the factory of the provider server. quiet turns logs off.
func NewServer(build Build, quiet bool, options ...Option) func() tfprotov6.ProviderServer {
	return func() tfprotov6.ProviderServer {
		p := newProvider(build, options)
		options := fastpath.Options{
			FastValidate: map[string]fastpath.FastValidate{"kuscia_serving": fastValidate()},

			NoOpPlan:           map[string]fastpath.NoOpPlan{"kuscia_serving": p.noOpPlan},
			NoOpRead:           map[string]fastpath.NoOpRead{"kuscia_serving": p.noOpRead},
			FastReadDataSource: map[string]fastpath.FastReadDataSource{"kuscia_serving_status": p.answersStatus},
			SourceLines:        true,
			Release:            quiet,
		}
		for _, object := range collect(func(t crud.Types) []crud.Shortcuts { return t.Shortcuts }) {
			p.shorten(options, object)
		}
		return fastpath.Wrap(providerserver.NewProtocol6(p)(), options)
	}
}

// shorten adds the shortcuts of a resource.
func (p *kusciaProvider) shorten(options fastpath.Options, object crud.Shortcuts) {
	name := object.ResourceType()
	options.FastValidate[name] = object.FastValidate
	options.NoOpPlan[name] = func(_ context.Context, config, prior map[string]any, private map[string][]byte) bool {
		return object.NoOpPlan(p.provided.Load(), config, prior, private)
	}
	options.NoOpRead[name] = func(ctx context.Context, state map[string]any, private map[string][]byte) (context.Context, map[string]string, bool) {
		return object.NoOpRead(ctx, p.provided.Load(), state, private)
	}
}

// fastValidate validates servings by their schema and their own validation.
func fastValidate() fastpath.FastValidate {
	checker := sync.OnceValue(func() *fastpath.Checker {
		var resp resource.SchemaResponse
		serving.NewResource().Schema(context.Background(), resource.SchemaRequest{}, &resp)
		return fastpath.NewChecker(context.Background(), resp.Schema)
	})
	return func(ctx context.Context, config map[string]any) bool {
		values, ok := checker().Check(ctx, config)
		return ok && serving.FastValidate(values)
	}
}

// noOpPlan also records for later plans of the same run that the serving is
// kept.
func (p *kusciaProvider) noOpPlan(ctx context.Context, config, prior map[string]any, private map[string][]byte) bool {
	c := p.provided.Load()
	return serving.NoOpPlan(ctx, c, config, prior, private) && serving.NoteUnchanged(ctx, c, prior)
}

func (p *kusciaProvider) noOpRead(ctx context.Context, state map[string]any, private map[string][]byte) (context.Context, map[string]string, bool) {
	return serving.NoOpRead(ctx, p.provided.Load(), state, private)
}

func (p *kusciaProvider) answersStatus(ctx context.Context, config map[string]any) (context.Context, any, bool) {
	return status.Answer(ctx, p.provided.Load(), config)
}
