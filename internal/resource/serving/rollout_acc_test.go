package serving_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// broken returns an app image whose pods never start.
func broken(i *kuscia.AppImage) { i.Image.Tag = "broken" }

// short is a short time limit, but long enough for the server to report why pods
// do not start.
func short(e *acctest.Env) string {
	if e.Sandbox == nil {
		return "15s"
	}
	return "3s"
}

// TestAccServing_createTimesOut: the error describes the status of each party,
// the serving is kept and tainted, and the next apply replaces it.
func TestAccServing_createTimesOut(t *testing.T) {
	acctest.SkipShort(t, acctest.LongWait)
	e := newEnv(t)
	image, bad := e.AppImage(), e.AppImage(broken)
	good := alone(e, "test", image).with(func(s *servingHCL) {
		s.parties = append(s.parties, partyHCL{domain: `"bob"`, role: `"client"`, image: quote(image), replicas: "2"})
	})
	stuck := good.with(func(s *servingHCL) {
		s.parties[1].image = quote(bad)
		s.timeouts = fmt.Sprintf("{ create = %q }", short(e))
	})
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             deleted(e, []servingHCL{good}),
		Steps: []resource.TestStep{
			{
				Config: stuck.String(),
				ExpectError: regexp.MustCompile(`(?s)was created but does not run.*` +
					`Pods do not start:.*ImagePullBackOff.*` + wrapped(`does not run as configured after`) + `.*` +
					`DOMAIN\s+ROLE\s+STATE\s+DESIRED\s+UPDATED\s+AVAILABLE\s+UNAVAILABLE.*` +
					`alice\s+-\s+Available\s+1\s+1\s+1\s+0.*` +
					`bob\s+client\s+Progressing\s+2\s+\d\s+0\s+2.*` +
					wrapped(`marked as tainted`)),
			},
			{
				Config: good.String(),
				ConfigPlanChecks: preApply(
					plancheck.ExpectResourceAction(testServing, plancheck.ResourceActionDestroyBeforeCreate)),
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownValue(testServing, tfjsonpath.New("endpoints"), knownvalue.MapSizeExact(4)),
				},
			},
		},
	})
}

// TestAccServing_ignoredReplicas: the replicas of one party can be left to another client, and an
// update of another party keeps them.
func TestAccServing_ignoredReplicas(t *testing.T) {
	e := newEnv(t)
	image := e.AppImage()
	s := alone(e, "test", image).with(func(s *servingHCL) {
		s.parties = append(s.parties, partyHCL{domain: `"bob"`, image: quote(image), replicas: "1"})
		s.lifecycle = `ignore_changes = [parties["bob"].replicas]`
	})
	w := e.Applied(t, s.String())
	two := int32(2)
	e.Do(func(ctx context.Context, api *kuscia.Client) error {
		return api.UpdateServing(ctx, &kuscia.UpdateServingRequest{ServingID: s.servingID(), Parties: []kuscia.ServingParty{{DomainID: "bob", AppImage: image, Replicas: &two}}})
	})()
	forgetRequests(e)()
	w.Write("main.tf", s.with(func(s *servingHCL) { s.parties[0].replicas = "2" }).String())
	w.Apply()
	if err := expectSent(e, s.servingID(), `{"parties":[{"domain_id":"alice","replicas":2}]}`)(nil); err != nil {
		t.Error(err)
	}
	w.Plan(acctest.PlanEmpty)
}

// appImage is a resource kuscia_app_image.test.
func appImage(name, tag, command string, lifecycle ...acctest.Nested) string {
	image := acctest.AppImageBlock{
		Name: name, Image: attrs{"name": "secretflow/serving-anolis8", "tag": tag}, Template: attrs{"name": "secretflow"}, Container: attrs{
			"name": "secretflow", "command": []string{command}, "ports": []any{attrs{"name": "service", "scope": "Domain"}},
		},
	}
	for _, block := range lifecycle {
		image.Top = attrs{"lifecycle": block}
	}
	return image.String()
}

// TestAccServing_newTags: one plan shows the new tag and the rollout
// that it causes, and every party's pods start with it.
func TestAccServing_newTags(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	e := newEnv(t)
	image := e.Name("rolling")
	s := alone(e, "test", image).with(func(s *servingHCL) {
		s.config = `jsonencode({ model = 1 })`
		s.parties = []partyHCL{
			{domain: `"alice"`, role: `"server"`, image: "kuscia_app_image.test.name", replicas: "2"},
			{domain: `"bob"`, image: "kuscia_app_image.test.name"},
		}
	})
	config := func(tag, command string) string { return appImage(image, tag, command) + s.String() }
	deployed := func(reference string) resource.TestCheckFunc {
		return func(*terraform.State) error {
			if e.Sandbox == nil {
				return nil
			}
			alice, errAlice := e.Sandbox.DeployedImage(s.servingID(), "alice", "server")
			bob, errBob := e.Sandbox.DeployedImage(s.servingID(), "bob", "")
			return errors.Join(errAlice, errBob, expect("alice", alice, reference), expect("bob", bob, reference))
		}
	}
	rolled := func(configText string) resource.TestCheckFunc {
		return expectSent(e, s.servingID(), fmt.Sprintf(`{"serving_input_config":%q}`, configText))
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             all(deleted(e, []servingHCL{s}), e.CheckAppImageDestroyed(image)),
		Steps: []resource.TestStep{
			{Config: config("1.0", "serve"), Check: deployed("secretflow/serving-anolis8:1.0")},
			{
				PreConfig: forgetRequests(e),
				Config:    config("2.0", "serve"),
				ConfigPlanChecks: preApply(
					plancheck.ExpectResourceAction("kuscia_app_image.test", plancheck.ResourceActionUpdate),
					expectChanges("kuscia_app_image.test", "image.tag", "rollout_revision"),
					plancheck.ExpectResourceAction(testServing, plancheck.ResourceActionUpdate),
					expectChanges(testServing, "parties.alice.image", "parties.bob.image", "rollout_complete"),
				),
				Check: all(deployed("secretflow/serving-anolis8:2.0"), rolled("{\"model\":1}\n")),
			},
			// The next redeploy changes the white space again.
			{
				PreConfig: forgetRequests(e),
				Config:    config("3.0", "serve"),
				Check:     all(deployed("secretflow/serving-anolis8:3.0"), rolled(`{"model":1}`)),
			},
			// What never reaches running pods does not restart them.
			{
				PreConfig: forgetRequests(e),
				Config:    config("3.0", "other"),
				ConfigPlanChecks: preApply(
					plancheck.ExpectResourceAction("kuscia_app_image.test", plancheck.ResourceActionUpdate),
					plancheck.ExpectResourceAction(testServing, plancheck.ResourceActionNoop),
				),
				Check: expectSent(e, s.servingID()),
			},
		},
	})
}
