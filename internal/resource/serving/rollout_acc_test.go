package serving_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
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
	acctest.SkipShort(t, acctest.ShownBy("TestTimeout", "TestRestarts"))
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

// TestAccServing_updateTimesOut: Kuscia has stored the update, and so has the
// state; nothing is tainted and the next change continues from there.
func TestAccServing_updateTimesOut(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestRolloutTimeout", "TestFailedUpdate"))
	e := newEnv(t)
	image, bad := e.AppImage(), e.AppImage(broken)
	good := alone(e, "test", image)
	stuck := good.with(func(s *servingHCL) {
		s.parties[0].image = quote(bad)
		s.timeouts = fmt.Sprintf("{ update = %q }", short(e))
	})
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             deleted(e, []servingHCL{good}),
		Steps: []resource.TestStep{
			{Config: good.String()},
			{
				Config: stuck.String(),
				ExpectError: regexp.MustCompile(`(?s)was updated but does not run.*` + wrapped(`does not run as configured after`) +
					`.*DOMAIN.*alice.*` + wrapped(`The new specification is stored`)),
			},
			{
				Config: good.String(),
				ConfigPlanChecks: preApply(
					plancheck.ExpectResourceAction(testServing, plancheck.ResourceActionUpdate),
					expectChanges(testServing, "parties.alice.app_image", "parties.alice.image", "rollout_complete", "timeouts")),
				Check: server(e, good.servingID(), func(s *kuscia.Serving) error { return expect("app_image", s.Parties[0].AppImage, image) }),
			},
		},
	})
}

// TestAccServing_noWait: create and update return immediately and do not query
// the status; values that only a running serving has are set by the next
// refresh.
func TestAccServing_noWait(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestLife"))
	e := newEnv(t)
	s := alone(e, "test", e.AppImage(broken)).with(func(s *servingHCL) { s.wait = "false" })
	requests := e.CountRequests()
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             deleted(e, []servingHCL{s}),
		Steps: []resource.TestStep{
			{Config: s.String(), Check: requests.ExpectNone(acctest.PathServingStatus)},
			{
				// A controller that lags sets create_time and endpoints only later.
				PreConfig: e.Do(func(ctx context.Context, api *kuscia.Client) error { return deployed(ctx, api, s.servingID()) }),
				Config:    s.with(func(s *servingHCL) { s.parties[0].replicas = "2" }).String(),
				ConfigPlanChecks: preApply(
					plancheck.ExpectResourceAction(testServing, plancheck.ResourceActionUpdate),
					expectChanges(testServing, "parties.alice.replicas")),
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownValue(testServing, tfjsonpath.New("endpoints"), knownvalue.MapSizeExact(2)),
					statecheck.ExpectKnownValue(testServing, tfjsonpath.New("create_time"), rfc3339),
				},
				Check: requests.ExpectNone(acctest.PathServingStatus),
			},
		},
	})
}

// deployed waits until every party of a serving has a Deployment.
func deployed(ctx context.Context, api *kuscia.Client, id string) error {
	return wait.Poll(ctx, wait.Interval{First: 100 * time.Millisecond, Longest: time.Second}, func(ctx context.Context) (bool, error) {
		response, err := api.QueryServing(ctx, id)
		if err != nil || response.Status == nil || len(response.Status.PartyStatuses) < len(response.Parties) {
			return false, err
		}
		return !slices.ContainsFunc(response.Status.PartyStatuses, func(p kuscia.PartyStatus) bool { return len(p.Endpoints) == 0 }), nil
	})
}

// TestAccServing_deleteTimesOut: a serving that remains listed is an error and
// stays in the state.
func TestAccServing_deleteTimesOut(t *testing.T) {
	acctest.SkipShort(t, acctest.LongWait)
	e := newEnv(t)
	e.RequireSandbox(t, "the status is made up")
	s := alone(e, "test", e.AppImage()).with(func(s *servingHCL) { s.timeouts = `{ delete = "1s" }` })
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             deleted(e, []servingHCL{s}),
		Steps: []resource.TestStep{
			{Config: s.String()},
			{
				PreConfig: func() {
					e.Sandbox.Inject(sandbox.Fault{
						Kind: sandbox.FaultBody, Path: acctest.PathServingStatus, Times: sandbox.Always,
						Body: fmt.Sprintf(`{"status": {"code": 0, "message": "success"}, "data": {"servings": [{"serving_id": %q, "status": null}]}}`, s.servingID()),
					})
				},
				Config: s.String(), Destroy: true,
				ExpectError: regexp.MustCompile(wrapped(`is still listed after its deletion`)),
			},
			{PreConfig: e.Sandbox.ClearFaults, Config: s.String(), PlanOnly: true, ExpectNonEmptyPlan: true},
		},
	})
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
		return expectSent(e, acctest.PathServingUpdate, s.servingID(), fmt.Sprintf(`{"serving_input_config": %q}`, configText))
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
				Check: expectSent(e, acctest.PathServingUpdate, s.servingID()),
			},
		},
	})
}

// TestAccServing_definitionRevision: the second hash is for replace_triggers,
// and works with the older replace_triggered_by.
func TestAccServing_definitionRevision(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestRevisionsStayTheSame", "TestTriggers"))
	e := newEnv(t)
	image := e.Name("defined")
	s := alone(e, "test", image).with(func(s *servingHCL) {
		s.parties[0].image = "kuscia_app_image.test.name"
		s.lifecycle = "replace_triggered_by = [kuscia_app_image.test.definition_revision]"
	})
	config := func(tag, command string) string { return appImage(image, tag, command) + s.String() }
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
		CheckDestroy:             all(deleted(e, []servingHCL{s}), e.CheckAppImageDestroyed(image)),
		Steps: []resource.TestStep{
			{Config: config("1.0", "serve")},
			{
				Config: config("1.0", "other"),
				ConfigPlanChecks: preApply(
					plancheck.ExpectResourceAction("kuscia_app_image.test", plancheck.ResourceActionUpdate),
					plancheck.ExpectResourceAction(testServing, plancheck.ResourceActionReplace)),
			},
		},
	})
}

// TestAccServing_createTaken: a serving of another client with the same id is
// never adopted. The error describes how to import the serving, and these
// instructions work.
func TestAccServing_createTaken(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestTakenID"))
	e := newEnv(t)
	image := e.AppImage()
	s := alone(e, "test", image)
	handmade(t, e, &kuscia.CreateServingRequest{
		ServingID: s.servingID(), Initiator: "alice", Parties: []kuscia.ServingParty{{DomainID: "alice", AppImage: image}},
	})
	w := e.Initialized(t, s.String())
	output, code := w.Try("apply", "-no-color", "-auto-approve", "-input=false")
	if code != 1 || !strings.Contains(acctest.Plain(output), "already exists and is not in this state") {
		t.Fatalf("exit code %d:\n%s", code, output)
	}
	w.Write("import.tf", acctest.ImportBlock(t, output, "test"))
	if plan := w.Plan(acctest.PlanDiffers); !strings.Contains(plan, "1 to import, 0 to add, 0 to change, 0 to destroy") {
		t.Errorf("the import changes something:\n%s", plan)
	}
	w.DestroyAtEnd()
	w.Apply()
	w.Plan(acctest.PlanEmpty)
}
