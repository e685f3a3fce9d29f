package serving

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/movestate"
)

const attrServingID = "serving_id"

// serving is kuscia_serving.
var serving = crud.New(crud.Spec[object]{
	Type: "serving", Title: "serving",
	Schema: rules.Schema,
	Identity: crud.Identity{
		Attributes: []crud.IdentityAttribute{{Name: attrServingID, Description: "ID of the serving in Kuscia.", Problem: idProblem}},
		// The KusciaAPI knows only KusciaDeployments in this namespace.
		Moved: movestate.Kind{
			Request:  movestate.Request{IdentifyingAttribute: attrServingID, ID: []string{attrServingID}},
			Manifest: movestate.Manifest{Group: kuscia.Group, Kind: "KusciaDeployment", Namespace: kube.CrossDomain},
		},
	},
	Responses:      crud.Responses[object]{Convert: response, Unreadable: unreadable},
	CustomResource: rules.CustomResource[object](),
	Rollout:        &crud.Rollout[object]{Timeouts: rules.Schema.Timeouts, CheckMemory: crud.Decodes[rules.Private]},
	Steps:          func(declared crud.Steps[object]) crud.Steps[object] { return steps{declared} },
})

// steps are those of a serving, which has a value model and a plan of its own.
type steps struct{ crud.Steps[object] }

// Validate reports what is invalid in a configuration.
func (steps) Validate(config definition.Value) diag.Diagnostics { return rules.Validate(config) }

// NewResource returns the resource kuscia_serving.
var NewResource = serving.NewResource

// idProblem returns what is wrong with a serving_id, or "".
func idProblem(id string) string {
	if party.RFC1123Label.MatchString(id) {
		return ""
	}
	return fmt.Sprintf("%q is not a serving_id: it %s.", id, party.RFC1123LabelRule)
}

// identity identifies a serving within a Kuscia.
func identity(servingID string) map[string]string {
	return map[string]string{attrServingID: servingID}
}

// response converts a response. Values that are semantically equal keep their spelling.
func response(found *object, known definition.Value) definition.Tree {
	state, _ := rules.FromResponse(rules.Of(known), found.response, rules.Private{}, func(kuscia.ServingParty) int32 { return 1 })
	return definition.TreeOf(state.Value())
}

// Differences are the attributes in which a response differs from what is desired.
func (steps) Differences(desired definition.Value, _ crud.ID, found *object, memory crud.Memory) []path.Path {
	return rules.Differences(rules.Of(desired), found.response, privateOf(memory, false))
}

// UnmanagedDifferences are the resources of an existing serving that another client has stored.
func (steps) UnmanagedDifferences(ctx context.Context, c *run.Run, desired definition.Value, found *object) []path.Path {
	return rules.UnmanagedDifferences(rules.Of(desired), found.response, rules.Templates(run.LookupBy(ctx, c.Kuscia.QueryAppImage)))
}

// read queries a serving for a refresh, whose objects had these versions before.
func read(ctx context.Context, c *run.Run, of definition.Value, id crud.ID, versions sourceVersions) (*object, error) {
	found, err := query(ctx, c, of, id)
	if err != nil {
		return nil, whyUnread(ctx, c, rules.Of(of), err)
	}
	found.versions = versions
	return found, nil
}

// API returns the API calls for a serving of a plan or a state.
func (steps) API(c *run.Run, of definition.Value) crud.API[object] {
	masked := func(ctx context.Context) context.Context { return keepSecret(ctx, rules.Of(of)) }
	return crud.API[object]{
		Create: func(ctx context.Context, desired *object) error {
			err := c.Kuscia.CreateServing(masked(ctx), desired.create)
			if errors.Is(err, kuscia.ErrLeftover) {
				// The Deployment of serving "a" for role "b" is named "a-b",
				// the same as that of serving "a-b" without a role.
				return fmt.Errorf("the Deployments of these names exist, left over from an earlier serving with this ID, or of a serving whose ID is this one with a role: %w", err)
			}
			return err
		},
		Query: func(ctx context.Context, id crud.ID) (*object, error) { return query(ctx, c, of, id) },
		Read: func(ctx context.Context, id crud.ID) (*object, error) {
			return read(ctx, c, of, id, listedVersions(ctx, c, id[0]))
		},
		DeleteObject: func(ctx context.Context, _ *object, diags *diag.Diagnostics) error {
			return remove(masked(ctx), c, rules.Of(of), diags)
		},
	}
}

// remove deletes a serving and waits until Kuscia no longer lists it.
func remove(ctx context.Context, c *run.Run, prior rules.Serving, diags *diag.Diagnostics) error {
	var releases diag.Diagnostics
	warnOfReleases(ctx, c, prior, "Serving was deleted during a release", &releases)
	id := prior.ServingID().ValueString()
	err := c.Kuscia.DeleteServing(ctx, id)
	if errors.Is(err, kuscia.ErrNotFound) {
		err = checkNodeKnowsServing(ctx, c, prior)
	}
	if err != nil {
		return err
	}
	diags.Append(releases...)
	if err := pollerOf(c).WaitDeleted(ctx, id); err != nil {
		return fmt.Errorf("the serving is still listed after its deletion: %w", err)
	}
	return nil
}
