package serving

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/lifecycle"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
)

// object returns a serving for use in messages about its creation.
func object(servingID string) clients.Object {
	return clients.Object{
		Type: servingKind.ResourceType(), Title: "serving", Attribute: "serving_id", Name: servingID, ImportID: servingID,
		NotReturned: []string{"affinity_mode"},
	}
}

// servingAPI has the methods of the client that a create needs.
type servingAPI interface {
	CreateServing(ctx context.Context, request *kuscia.CreateServingRequest) error
	QueryServing(ctx context.Context, servingID string) (*kuscia.Serving, error)
}

// creation returns the create of a serving. If the response is lost, the lookup
// is retried until the timeout of the create.
func (r *servingResource) creation(ctx context.Context, request *kuscia.CreateServingRequest, desired rules.Serving, timeout time.Duration) lifecycle.Create[*kuscia.Serving] {
	create := newCreation(r.Clients.Kuscia, request, func(existing *kuscia.Serving) []string {
		return rules.Differences(desired, existing, rules.Private{})
	})
	create.RetryTimeout = timeout
	create.StrictDifferences = func(existing *kuscia.Serving) []string {
		return append(create.Differences(existing), rules.UnmanagedDifferences(desired, existing, rules.Templates(clients.LookupBy(ctx, r.Clients.Kuscia.QueryAppImage)))...)
	}
	return create
}

func newCreation(api servingAPI, request *kuscia.CreateServingRequest, differs func(*kuscia.Serving) []string) lifecycle.Create[*kuscia.Serving] {
	return lifecycle.Create[*kuscia.Serving]{
		Errors: clients.KusciaErrors,
		Send: func(ctx context.Context) error {
			err := api.CreateServing(ctx, request)
			if errors.Is(err, kuscia.ErrLeftover) {
				// The Deployment of serving "a" for role "b" is named "a-b",
				// the same as that of serving "a-b" without a role.
				return fmt.Errorf("the Deployments of these names exist, left over from an earlier serving with this ID, or of a serving whose ID is this one with a role: %w", err)
			}
			return err
		},
		Lookup:      func(ctx context.Context) (*kuscia.Serving, error) { return api.QueryServing(ctx, request.ServingID) },
		Differences: differs,
	}
}
