package serving

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/lifecycle"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// taken is the reply to the create of a serving that exists.
var taken = Reply{Code: 11600, Message: `serving "cross-domain/glm" already exists, please ensure that the name is not duplicated`}

// creationOf is a create by the calls of the resource.
func creationOf(t *testing.T, api *kuscia.Client, desired rules.Serving, adopt bool) lifecycle.Create[*object] {
	t.Helper()
	var diags diag.Diagnostics
	request := rules.CreateRequest(desired, &diags)
	NoDiags(t, diags)
	of := calls(&clients.Clients{Kuscia: api}, desired.Value())
	return lifecycle.Create[*object]{
		Errors: clients.KusciaErrors, AdoptExisting: adopt,
		Send:   func(ctx context.Context) error { return of.Create(ctx, &object{create: request}) },
		Lookup: func(ctx context.Context) (*object, error) { return of.Query(ctx, crud.ID{request.ServingID}) },
		Differences: func(found *object) (different []string) {
			for _, at := range differences(desired.Value(), found, nil) {
				different = append(different, at.String())
			}
			return different
		},
	}
}

// TestCreateOverTheWire: a create against a server that loses responses, with
// the client's own retries. The lifecycle package tests every order of
// responses.
func TestCreateOverTheWire(t *testing.T) {
	t.Parallel()
	config := TwoParties()
	stored := ResponseTo(config)
	other := ResponseTo(InParty(config, 0, Replicas(7)))
	const gone = `kusciadeployments.kuscia.secretflow "glm" not found`
	for name, test := range map[string]struct {
		creates []Reply
		queries []Reply
		adopt   bool
		outcome lifecycle.Outcome
		want    string // a part of the error
	}{
		"lost after the effect":   {[]Reply{{Drop: true}}, []Reply{{Data: stored}}, false, lifecycle.Created, ""},
		"lost before the effect":  {[]Reply{{Drop: true}, {}}, []Reply{{Code: 11601, Message: gone}}, false, lifecycle.Created, ""},
		"another client's":        {[]Reply{{Drop: true}}, []Reply{{Data: other}}, false, lifecycle.NotCreated, `parties["alice"].replicas`},
		"taken":                   {[]Reply{taken}, nil, false, lifecycle.NotCreated, "already exists"},
		"taken, to be adopted":    {[]Reply{taken}, []Reply{{Data: stored}}, true, lifecycle.Adopted, ""},
		"taken by another":        {[]Reply{taken}, []Reply{{Data: other}}, true, lifecycle.NotCreated, `parties["alice"].replicas`},
		"refused":                 {[]Reply{{Code: 11600, Message: "resource min_cpu abc format is invalid"}}, nil, true, lifecycle.NotCreated, "format is invalid"},
		"lost, query refused":     {[]Reply{{Drop: true}}, []Reply{{Code: 11102, Message: "unauthorized domain"}}, false, lifecycle.Unknown, "11102"},
		"lost, app image deleted": {[]Reply{{Drop: true}}, []Reply{{Code: 11601, Message: `failed to get appImage "app" from cluster, appimages.kuscia.secretflow "app" not found`}}, false, lifecycle.Unknown, "appImage"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var creates, queries int
			api := NewScripted(t, func(path, _ string) Reply {
				list, n := test.creates, &creates
				if path == QueryPath {
					list, n = test.queries, &queries
				}
				*n++
				return list[min(*n-1, len(list)-1)]
			})
			got := creationOf(t, api.Client, StateOf(config), test.adopt).Do(t.Context())
			err := errors.Join(got.Err, got.LookupErr)
			if got.Outcome != test.outcome || (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s, error is %v, want %q", got.Outcome, err, test.want)
			}
			if n := api.Requests(CreatePath); n != len(test.creates) {
				t.Errorf("%d creates, want %d", n, len(test.creates))
			}
		})
	}
}

// TestCreateExplainsLeftovers: Deployments of the names of a new serving may belong to another
// one.
func TestCreateExplainsLeftovers(t *testing.T) {
	t.Parallel()
	api := NewScripted(t, func(string, string) Reply {
		return Reply{Code: 11600, Message: `k8s deployment "cross-domain/glm" of sub resources for serving already exists, please ensure that the name is not duplicated`}
	})
	err := creationOf(t, api.Client, StateOf(TwoParties()), false).Send(t.Context())
	if !errors.Is(err, kuscia.ErrLeftover) || !strings.Contains(err.Error(), "whose ID is this one with a role") {
		t.Errorf("the error is %v", err)
	}
}
