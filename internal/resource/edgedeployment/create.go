package edgedeployment

import (
	"context"
	"errors"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/lifecycle"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// errNoneOfThatName is returned if no deployment has the name.
var errNoneOfThatName = errors.New("there is no deployment of this name")

// errorKinds classifies the errors of IEF.
var errorKinds = lifecycle.Errors{
	AlreadyExists:  func(err error) bool { return errors.Is(err, apierror.ErrExists) },
	OutcomeUnknown: apierror.OutcomeUnknown,
	NotFound:       func(err error) bool { return errors.Is(err, errNoneOfThatName) },
	Transient:      apierror.IsTransient,
}

// creation is a create of a deployment of which only the name is known in
// advance: IEF generates the id, and its documentation does not guarantee
// unique names.
type creation struct {
	client  api
	scope   ief.Scope
	request *ief.CreateRequest
	planned tftypes.Value

	// made is the deployment that was created or found.
	made *ief.Deployment
	// lost is the error of a request whose outcome is unknown.
	lost error
}

// do creates the deployment, or determines the outcome of the create. It looks
// up the name first, so that a deployment that is found after a lost response
// is from this create.
func (c *creation) do(ctx context.Context, adopt bool) lifecycle.Result {
	return lifecycle.Create[*ief.Deployment]{
		Errors: errorKinds, AdoptExisting: adopt, LookupFirst: true,
		Send: c.send, Lookup: c.lookup, Differences: c.differences,
	}.Do(ctx)
}

// send sends the request at most once: a second request could create a second
// deployment.
func (c *creation) send(ctx context.Context) error {
	if c.lost != nil {
		return c.lost
	}
	made, err := c.client.Create(ctx, c.scope, c.request)
	if err != nil {
		if apierror.OutcomeUnknown(err) {
			c.lost = err
		}
		return err //nolint:wrapcheck // the client's errors describe the request
	}
	c.made = made
	return nil
}

// lookup returns the deployment with the name. If there are several, it prefers
// one that is as configured.
func (c *creation) lookup(ctx context.Context) (*ief.Deployment, error) {
	found, err := named(ctx, c.client, c.scope, c.request.Name)
	if err != nil {
		return nil, err
	}
	for _, candidate := range found {
		if len(c.differences(candidate)) == 0 {
			c.made = candidate
			return candidate, nil
		}
	}
	if len(found) > 0 {
		c.made = found[0]
		return found[0], nil
	}
	return nil, errNoneOfThatName
}

// named returns the deployments with exactly this name, since the filter of a
// list also matches names that contain it.
func named(ctx context.Context, client api, scope ief.Scope, name string) ([]*ief.Deployment, error) {
	listed, err := client.List(ctx, scope, ief.Filter{Name: name}, 0)
	if err != nil {
		return nil, err //nolint:wrapcheck // the client's errors describe the request
	}
	var found []*ief.Deployment
	for i := range listed {
		if listed[i].Name == name {
			found = append(found, &listed[i])
		}
	}
	return found, nil
}

// afterLostCreate looks up the deployment of a create whose response was lost. created is
// nil unless a deployment is certainly that of the create: the only one of its name that
// is as in the state, without write-only values. Otherwise other is the one that is most
// like it, or nil if there is none of the name.
func afterLostCreate(ctx context.Context, client api, scope ief.Scope, state tftypes.Value) (created, other *ief.Deployment, err error) {
	found, err := named(ctx, client, scope, definition.StringAt(state, "name"))
	if err != nil || len(found) == 0 {
		return nil, nil, err
	}
	alike := slices.DeleteFunc(slices.Clone(found), func(d *ief.Deployment) bool {
		return len(deployment.Differences(state, fromResponse(scope, d, state))) > 0
	})
	switch {
	case len(alike) == 0:
		return nil, found[0], nil
	case len(alike) > 1, alike[0].Template == nil, !deployment.IsCreated(state, fromResponse(scope, alike[0], state)):
		return nil, alike[0], nil
	default:
		return alike[0], nil, nil
	}
}

func (c *creation) differences(d *ief.Deployment) []string {
	var different []string
	for _, at := range deployment.Differences(c.planned, fromResponse(c.scope, d, c.planned)) {
		different = append(different, at.String())
	}
	return different
}

// messageObject returns the deployment for use in messages. Its import id is
// known once it was created or found.
func (c *creation) messageObject() clients.Object {
	id := ""
	if c.made != nil {
		id = c.made.ID
	}
	return messageObject(c.request.Name, id, c.scope.InstanceID)
}
