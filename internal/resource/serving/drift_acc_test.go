package serving_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccServing_drift changes servings outside of Terraform: the plan shows
// exactly the attribute that changed, and the apply reverts it.
func TestAccServing_drift(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestPropertyDrift", "TestLife"))
	e := newEnv(t)
	image := e.AppImage()
	other := e.AppImage(func(i *kuscia.AppImage) { i.Image.Tag = "0.3.0b0" })
	one, two := int32(1), int32(2)
	update := func(party kuscia.ServingParty) func(*kuscia.UpdateServingRequest) {
		return func(r *kuscia.UpdateServingRequest) { r.Parties = []kuscia.ServingParty{party} }
	}
	alice, bob := kuscia.ServingParty{DomainID: "alice", Role: "a", AppImage: image, Replicas: &one},
		kuscia.ServingParty{DomainID: "bob", Role: "b", AppImage: image, Replicas: &one}
	alice.Resources = []kuscia.Resource{{MinCPU: "500m", MaxCPU: "2", MinMemory: "1Gi", MaxMemory: "2Gi"}}

	drifts := map[string]struct {
		// update is the change by an update; remade is the serving that replaces
		// the old one, for what an update cannot change.
		update  func(*kuscia.UpdateServingRequest)
		remade  func(*kuscia.CreateServingRequest)
		changes []string
	}{
		"replicas":   {update: update(kuscia.ServingParty{DomainID: "bob", Role: "b", Replicas: &two}), changes: []string{"parties.bob.replicas"}},
		"app_image":  {update: update(kuscia.ServingParty{DomainID: "alice", Role: "a", AppImage: other}), changes: []string{"parties.alice.app_image", "parties.alice.image"}},
		"strategy":   {update: update(kuscia.ServingParty{DomainID: "alice", Role: "a", UpdateStrategy: &kuscia.UpdateStrategy{Type: "RollingUpdate", MaxUnavailable: "1"}}), changes: []string{"parties.alice.update_strategy.max_unavailable"}},
		"resources":  {update: update(kuscia.ServingParty{DomainID: "alice", Role: "a", Resources: []kuscia.Resource{{MaxCPU: "3"}}}), changes: []string{"parties.alice.resources.max_cpu"}},
		"config":     {update: func(r *kuscia.UpdateServingRequest) { r.ServingInputConfig = `{"model":2}` }, changes: []string{"serving_input_config"}},
		"respelled":  {update: func(r *kuscia.UpdateServingRequest) { r.ServingInputConfig = ` { "model" : 1 } ` }},
		"same_value": {update: update(kuscia.ServingParty{DomainID: "alice", Role: "a", Resources: []kuscia.Resource{{MinCPU: "0.5", MaxMemory: "2048Mi"}}})},
		"initiator":  {remade: func(r *kuscia.CreateServingRequest) { r.Initiator = "bob" }, changes: []string{"initiator"}},
		"prefix":     {remade: func(r *kuscia.CreateServingRequest) { r.Parties[0].ServiceNamePrefix = e.Name("second") }, changes: []string{"parties.alice.service_name_prefix"}},
		"party_gone": {remade: func(r *kuscia.CreateServingRequest) { r.Parties = r.Parties[:1] }, changes: []string{"parties.bob"}},
		"party_new": {remade: func(r *kuscia.CreateServingRequest) {
			r.Parties = append(r.Parties, kuscia.ServingParty{DomainID: "bob", Role: "more", AppImage: image})
		}, changes: []string{"parties.bob/more"}},
		"role":        {remade: func(r *kuscia.CreateServingRequest) { r.Parties[1].Role = "other" }, changes: []string{"parties.bob", "parties.bob/other"}},
		"config_gone": {remade: func(r *kuscia.CreateServingRequest) { r.ServingInputConfig = "" }, changes: []string{"serving_input_config"}},
		"reordered":   {remade: func(r *kuscia.CreateServingRequest) { slices.Reverse(r.Parties) }},
		// A value that is not configured cannot be cleared in place.
		"resources_gone": {remade: func(r *kuscia.CreateServingRequest) { r.Parties[0].Resources = nil }, changes: []string{"parties.alice.resources"}},
		// Resources that nobody has configured are no difference.
		"resources_new": {update: update(kuscia.ServingParty{DomainID: "bob", Role: "b", Resources: []kuscia.Resource{{MinCPU: "1"}}})},
	}
	replaces := map[string]bool{"initiator": true, "prefix": true, "party_gone": true, "party_new": true, "role": true}

	var servings []servingHCL
	var plan []plancheck.PlanCheck
	for label, drift := range drifts {
		s := alone(e, label, image).with(func(s *servingHCL) {
			s.config = `jsonencode({ model = 1 })`
			s.parties = []partyHCL{
				{domain: `"alice"`, role: `"a"`, image: quote(image), prefix: quote(e.Name("first")), resources: full},
				{domain: `"bob"`, role: `"b"`, image: quote(image)},
			}
		})
		servings = append(servings, s)
		action := plancheck.ResourceActionUpdate
		switch {
		case len(drift.changes) == 0:
			action = plancheck.ResourceActionNoop
		case replaces[label]:
			action = plancheck.ResourceActionReplace
		}
		plan = append(plan, plancheck.ExpectResourceAction(s.address(), action), expectDrift(s.address(), drift.changes...))
	}
	change := e.Do(func(ctx context.Context, api *kuscia.Client) error {
		for _, s := range servings {
			drift := drifts[s.label]
			if drift.update != nil {
				request := kuscia.UpdateServingRequest{ServingID: s.servingID()}
				drift.update(&request)
				if err := api.UpdateServing(ctx, &request); err != nil {
					return err
				}
				continue
			}
			request := kuscia.CreateServingRequest{
				ServingID: s.servingID(), Initiator: "alice", ServingInputConfig: `{"model":1}`, Parties: []kuscia.ServingParty{alice, bob},
			}
			request.Parties[0].ServiceNamePrefix = strings.Trim(s.parties[0].prefix, `"`)
			drift.remade(&request)
			if err := remake(ctx, api, &request); err != nil {
				return err
			}
		}
		return nil
	})

	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             deleted(e, servings),
		Steps: []resource.TestStep{
			{Config: join(servings)},
			{PreConfig: change, Config: join(servings), ConfigPlanChecks: preApply(plan...)},
		},
	})
}

// remake deletes a serving and creates another one with the same id as soon as
// Kuscia allows it.
func remake(ctx context.Context, api *kuscia.Client, request *kuscia.CreateServingRequest) error {
	if err := api.DeleteServing(ctx, request.ServingID); err != nil {
		return err
	}
	for {
		err := api.CreateServing(ctx, request)
		if !errors.Is(err, kuscia.ErrLeftover) {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", ctx.Err(), err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}
