package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/fastpath"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/serving"
)

// NewServer returns the factory of the provider as it is served. quiet says
// that nobody asked for logs.
func NewServer(build Build, quiet bool, options ...Option) func() tfprotov6.ProviderServer {
	return func() tfprotov6.ProviderServer {
		p := newProvider(build, options)
		return fastpath.Wrap(providerserver.NewProtocol6(p)(), fastpath.Options{
			PlansNothing: map[string]fastpath.PlansNothing{"kuscia_serving": serving.PlansNothing},
			ReadsNothing: map[string]fastpath.ReadsNothing{"kuscia_serving": p.readsNothing},
			AnswersData:  map[string]fastpath.AnswersData{"kuscia_serving_status": p.answersStatus},
			Release:      quiet,
		})
	}
}

func (p *kusciaProvider) readsNothing(ctx context.Context, state map[string]any, private map[string][]byte) (context.Context, map[string]string, bool) {
	return serving.ReadsNothing(ctx, p.provided.Load(), state, private)
}

func (p *kusciaProvider) answersStatus(ctx context.Context, config map[string]any) (context.Context, any, bool) {
	return serving.StatusAnswer(ctx, p.provided.Load(), config)
}
