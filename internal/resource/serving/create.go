package serving

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/lifecycle"
)

// object is a serving in messages about its creation.
func object(servingID string) clients.Object {
	return clients.Object{
		Type: "kuscia_serving", Title: "serving", Attribute: "serving_id", ID: servingID,
		Unread: []string{"affinity_mode"},
	}
}

// servingAPI is what creating a serving needs of the client.
type servingAPI interface {
	CreateServing(ctx context.Context, request *kuscia.CreateServingRequest) error
	QueryServing(ctx context.Context, servingID string) (*kuscia.Serving, error)
}

// creation is the create of a serving. An answer that was lost is looked for as
// long as the create may take.
func (r *servingResource) creation(ctx context.Context, request *kuscia.CreateServingRequest, wanted model, timeout time.Duration) lifecycle.Create[*kuscia.Serving] {
	create := newCreation(r.clients.API, request, func(existing *kuscia.Serving) []string {
		return differences(wanted, existing, privateData{})
	})
	create.Patience = timeout
	create.AdoptExisting = r.clients.AdoptExisting
	create.StrictDifferences = func(existing *kuscia.Serving) []string {
		return append(create.Differences(existing), foreignResources(wanted, existing, templates(sourcesOf(ctx, r.clients).asked))...)
	}
	return create
}

func newCreation(api servingAPI, request *kuscia.CreateServingRequest, differs func(*kuscia.Serving) []string) lifecycle.Create[*kuscia.Serving] {
	return lifecycle.Create[*kuscia.Serving]{
		Errors: clients.KusciaErrors,
		Send: func(ctx context.Context) error {
			err := api.CreateServing(ctx, request)
			if errors.Is(err, kuscia.ErrLeftover) {
				// The Deployment of serving "a" for role "b" is called "a-b", as is
				// that of serving "a-b" for no role.
				return fmt.Errorf("the Deployments of these names exist, left by an earlier serving with this id or of a serving that is called like this one and a role: %w", err)
			}
			return err
		},
		Look:        func(ctx context.Context) (*kuscia.Serving, error) { return api.QueryServing(ctx, request.ServingID) },
		Differences: differs,
	}
}

// foreignResources lists the parties of an existing serving that have resources
// which are neither configured nor those of the app image: somebody has stored
// them, and no later plan could see that.
func foreignResources(wanted model, existing *kuscia.Serving, template templateLookup) (different []string) {
	parties := wanted.Parties.items
	for _, p := range parties {
		wire := findWire(existing.Parties, p.key())
		if wire == nil {
			continue // among the differences already
		}
		configured := p.resources.form()
		unset := slices.DeleteFunc(slices.Clone(wire.Resources), func(r kuscia.Resource) bool { return !configured.of(r.ContainerName).empty() })
		if len(unset) == 0 {
			continue
		}
		var image footprint
		if t := template(*wire); t != nil {
			image = footprintOf(templateResources(t))
		}
		for name, has := range footprintOf(unset) {
			if given, known := image[name]; !known || given != has {
				different = append(different, fmt.Sprintf("resources of party %s", p.key()))
				break
			}
		}
	}
	return different
}
