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
)

func kind(err error) error { return fmt.Errorf("serving/create: %w", err) }

// TestCreateOverTheWire: a create against a server that loses answers, with the
// client's own repetitions. Every order of answers is tested in lifecycle.
func TestCreateOverTheWire(t *testing.T) {
	t.Parallel()
	config := twoParties()
	request := answerRequest(t, config)
	stored := answerTo(config)
	other := answerTo(inParty(config, 0, replicas(7)))
	const gone = `kusciadeployments.kuscia.secretflow "glm" not found`
	taken := reply{code: 11600, message: `serving "cross-domain/glm" already exists, please ensure that the name is not duplicated`}
	for name, test := range map[string]struct {
		creates []reply
		queries []reply
		adopt   bool
		outcome lifecycle.Outcome
		want    string // a part of the error
	}{
		"lost after the effect":  {[]reply{{drop: true}}, []reply{{data: stored}}, false, lifecycle.Created, ""},
		"lost before the effect": {[]reply{{drop: true}, {}}, []reply{{code: 11601, message: gone}}, false, lifecycle.Created, ""},
		"somebody else's":        {[]reply{{drop: true}}, []reply{{data: other}}, false, lifecycle.NotCreated, "replicas of party alice/"},
		"taken":                  {[]reply{taken}, nil, false, lifecycle.NotCreated, "exists already"},
		"taken, to be adopted":   {[]reply{taken}, []reply{{data: stored}}, true, lifecycle.Adopted, ""},
		"taken by another":       {[]reply{taken}, []reply{{data: other}}, true, lifecycle.NotCreated, "replicas of party alice/"},
		"refused":                {[]reply{{code: 11600, message: "resource min_cpu abc format is invalid"}}, nil, true, lifecycle.NotCreated, "format is invalid"},
		"lost, may not look":     {[]reply{{drop: true}}, []reply{{code: 11102, message: "unauthorized domain"}}, false, lifecycle.Unknown, "11102"},
		"lost, app image gone":   {[]reply{{drop: true}}, []reply{{code: 11601, message: `failed to get appImage "app" from cluster, appimages.kuscia.secretflow "app" not found`}}, false, lifecycle.Unknown, "appImage"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var creates, queries int
			api := newScripted(t, func(path, _ string) reply {
				list, n := test.creates, &creates
				if path == queryPath {
					list, n = test.queries, &queries
				}
				*n++
				return list[min(*n-1, len(list)-1)]
			})
			create := newCreation(api, request, func(s *kuscia.Serving) []string { return differences(stateOf(config), s, privateData{}) })
			create.AdoptExisting = test.adopt
			got := create.Do(t.Context())
			if got.Outcome != test.outcome || (got.Err == nil) != (test.want == "") || got.Err != nil && !strings.Contains(got.Err.Error(), test.want) {
				t.Errorf("%s, error is %v, want %q", got.Outcome, got.Err, test.want)
			}
			if n := api.asked(createPath); n != len(test.creates) {
				t.Errorf("%d creates, want %d", n, len(test.creates))
			}
		})
	}
}

func answerRequest(t *testing.T, config model) *kuscia.CreateServingRequest {
	t.Helper()
	answer := answerTo(config)
	return &kuscia.CreateServingRequest{ServingID: "glm", Initiator: answer.Initiator, ServingInputConfig: answer.ServingInputConfig, Parties: slices.Clone(answer.Parties)}
}

// blockedAPI is a server with Deployments that stay.
type blockedAPI struct{}

func (blockedAPI) CreateServing(context.Context, *kuscia.CreateServingRequest) error {
	return kind(kuscia.ErrLeftover)
}

func (blockedAPI) QueryServing(context.Context, string) (*kuscia.Serving, error) {
	return nil, kind(kuscia.ErrNotFound)
}

// TestCreateGivesUpOnLeftovers: Deployments that stay are another serving's, and
// waiting does not help.
func TestCreateGivesUpOnLeftovers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		got := newCreation(blockedAPI{}, &kuscia.CreateServingRequest{ServingID: "glm"}, nil).Do(t.Context())
		if got.Outcome != lifecycle.NotCreated || !errors.Is(got.Err, kuscia.ErrLeftover) || time.Since(began) > time.Minute {
			t.Errorf("after %s: %s %v", time.Since(began), got.Outcome, got.Err)
		}
		if !strings.Contains(got.Err.Error(), "called like this one and a role") {
			t.Errorf("the reason is missing: %v", got.Err)
		}
	})
}

// TestForeignResources: a serving that exists is not exactly as configured when
// it has resources that neither the configuration nor the app image gives.
func TestForeignResources(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		answer  kuscia.Resource
		image   *kuscia.AppImage
		foreign bool
	}{
		"none":                     {limited(""), resourced(""), false},
		"the image's":              {limited("1000m"), resourced("1"), false},
		"stored":                   {limited("2"), resourced(""), true},
		"stored over the image's":  {limited("2"), resourced("1"), true},
		"another container":        {kuscia.Resource{ContainerName: "side", MaxCPU: "1"}, resourced("1"), true},
		"image that cannot be had": {limited("1"), nil, true},
	} {
		existing := &kuscia.Serving{Parties: []kuscia.ServingParty{{DomainID: "alice", AppImage: "sf", Resources: []kuscia.Resource{test.answer}}}}
		got := foreignResources(stateOf(configOf(partyOf("alice"))), existing, func(p kuscia.ServingParty) *kuscia.DeployTemplate {
			if test.image == nil {
				return nil
			}
			return templateFor(test.image, p.Role)
		})
		if (len(got) > 0) != test.foreign {
			t.Errorf("%s: %v", name, got)
		}
	}
}
