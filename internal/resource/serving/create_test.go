package serving

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/lifecycle"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

func kind(err error) error { return fmt.Errorf("serving/create: %w", err) }

// TestCreateOverTheWire: a create against a server that loses responses, with
// the client's own retries. The lifecycle package tests every order of
// responses.
func TestCreateOverTheWire(t *testing.T) {
	t.Parallel()
	config := TwoParties()
	request := answerRequest(t, config)
	stored := ResponseTo(config)
	other := ResponseTo(InParty(config, 0, Replicas(7)))
	const gone = `kusciadeployments.kuscia.secretflow "glm" not found`
	taken := Reply{Code: 11600, Message: `serving "cross-domain/glm" already exists, please ensure that the name is not duplicated`}
	for name, test := range map[string]struct {
		creates []Reply
		queries []Reply
		adopt   bool
		outcome lifecycle.Outcome
		want    string // a part of the error
	}{
		"lost after the effect":   {[]Reply{{Drop: true}}, []Reply{{Data: stored}}, false, lifecycle.Created, ""},
		"lost before the effect":  {[]Reply{{Drop: true}, {}}, []Reply{{Code: 11601, Message: gone}}, false, lifecycle.Created, ""},
		"another client's":        {[]Reply{{Drop: true}}, []Reply{{Data: other}}, false, lifecycle.NotCreated, "replicas of party alice/"},
		"taken":                   {[]Reply{taken}, nil, false, lifecycle.NotCreated, "already exists"},
		"taken, to be adopted":    {[]Reply{taken}, []Reply{{Data: stored}}, true, lifecycle.Adopted, ""},
		"taken by another":        {[]Reply{taken}, []Reply{{Data: other}}, true, lifecycle.NotCreated, "replicas of party alice/"},
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
			create := newCreation(api, request, func(s *kuscia.Serving) []string { return rules.Differences(StateOf(config), s, rules.Private{}) })
			create.AdoptExisting = test.adopt
			got := create.Do(t.Context())
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

func answerRequest(t *testing.T, config rules.Serving) *kuscia.CreateServingRequest {
	t.Helper()
	response := ResponseTo(config)
	return &kuscia.CreateServingRequest{ServingID: "glm", Initiator: response.Initiator, ServingInputConfig: response.ServingInputConfig, Parties: slices.Clone(response.Parties)}
}

// blockedAPI is a server with Deployments that are not deleted.
type blockedAPI struct{}

func (blockedAPI) CreateServing(context.Context, *kuscia.CreateServingRequest) error {
	return kind(kuscia.ErrLeftover)
}

func (blockedAPI) QueryServing(context.Context, string) (*kuscia.Serving, error) {
	return nil, kind(kuscia.ErrNotFound)
}

// TestCreateGivesUpOnLeftovers: Deployments that are not deleted belong to
// another serving, and waiting does not help.
func TestCreateGivesUpOnLeftovers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		got := newCreation(blockedAPI{}, &kuscia.CreateServingRequest{ServingID: "glm"}, nil).Do(t.Context())
		if got.Outcome != lifecycle.NotCreated || !errors.Is(got.Err, kuscia.ErrLeftover) || time.Since(began) > time.Minute {
			t.Errorf("after %s: %s %v", time.Since(began), got.Outcome, got.Err)
		}
		if !strings.Contains(got.Err.Error(), "whose ID is this one with a role") {
			t.Errorf("the reason is missing: %v", got.Err)
		}
	})
}
