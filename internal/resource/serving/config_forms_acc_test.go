package serving_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// hide sets the text in the write-only form.
func hide(text string, version int) func(*servingHCL) {
	return func(s *servingHCL) { s.config, s.hidden, s.version = "", text, fmt.Sprint(version) }
}

// show sets it in the plain form; "" leaves it out.
func show(text string) func(*servingHCL) {
	return func(s *servingHCL) { s.config, s.hidden, s.version = text, "", "" }
}

const hiddenModel1, hiddenModel2 = `jsonencode({ model = 1, key = "hidden-key-1" })`, `jsonencode({ model = 2, key = "hidden-key-2" })`

// TestAccServing_configForms covers the forms of the configuration text: each
// plan shows what changes, Kuscia gets the text only if it has another one, and
// the state never has a write-only text.
func TestAccServing_configForms(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestPlanConfigForms", "TestUpdateOfConfigForms"))
	e := newEnv(t)
	acctest.RequireWriteOnly(t)
	w := e.NewWorkspace(t)
	base := alone(e, "test", e.AppImage()).with(func(s *servingHCL) { s.triggers = `{ n = "0" }` })
	replicas := func(n int) func(*servingHCL) { return func(s *servingHCL) { s.parties[0].replicas = fmt.Sprint(n) } }
	redeploy := func(s *servingHCL) { s.triggers = `{ n = "1" }` }
	steps := []struct {
		name   string
		change []func(*servingHCL)
		// plan has lines of the plan without spaces; no lines mean an empty
		// plan.
		plan []string
		has  string // text of the model in Kuscia
		// sent is how many updates are sent.
		sent int
	}{
		{"create", []func(*servingHCL){hide(hiddenModel1, 1)}, []string{"+serving_input_config_wo_version=1", "+serving_input_config_wo=(write-onlyattribute)"}, hiddenModel1, 0},
		{"the same", nil, nil, hiddenModel1, 0},
		{"another text under the same version", []func(*servingHCL){hide(hiddenModel2, 1)}, nil, hiddenModel1, 0},
		{"another party's replicas with it", []func(*servingHCL){replicas(2)}, []string{"~replicas=1->2"}, hiddenModel1, 1},
		{"restart with it", []func(*servingHCL){redeploy}, []string{`~"n"="0"->"1"`}, hiddenModel1, 1},
		{"its version", []func(*servingHCL){hide(hiddenModel2, 2)}, []string{"~serving_input_config_wo_version=1->2"}, hiddenModel2, 1},
		{"a version for the same text", []func(*servingHCL){hide(hiddenModel2, 3)}, []string{"~serving_input_config_wo_version=2->3"}, hiddenModel2, 0},
		{"the same text, shown", []func(*servingHCL){show(hiddenModel2)}, []string{"-serving_input_config_wo_version=3->null", "+serving_input_config=jsonencode("}, hiddenModel2, 0},
		{"the same text, hidden", []func(*servingHCL){hide(hiddenModel2, 1)}, []string{"+serving_input_config_wo_version=1", "-serving_input_config=jsonencode("}, hiddenModel2, 0},
		{"another text, shown", []func(*servingHCL){show(hiddenModel1)}, []string{"+serving_input_config=jsonencode("}, hiddenModel1, 1},
		{"another text, hidden", []func(*servingHCL){hide(hiddenModel2, 7)}, []string{"+serving_input_config_wo_version=7", "-serving_input_config=jsonencode("}, hiddenModel2, 1},
		{"no text", []func(*servingHCL){show(""), func(s *servingHCL) { s.triggers = "" }}, []string{"-serving_input_config_wo_version=7->null#forcesreplacement"}, `""`, 0},
		{"the first text, hidden", []func(*servingHCL){hide(hiddenModel1, 1)}, []string{"+serving_input_config_wo_version=1"}, hiddenModel1, 1},
	}
	current := base
	initialized := false
	for _, step := range steps {
		for _, change := range step.change {
			current = current.with(change)
		}
		w.Write("main.tf", current.String())
		if !initialized {
			w.Run(0, "init", "-input=false")
			w.DestroyAtEnd()
			initialized = true
		}
		code := acctest.PlanEmpty
		if len(step.plan) > 0 {
			code = acctest.PlanDiffers
		}
		plan := w.Plan(code)
		squeezed := strings.Join(strings.Fields(plan), "")
		for _, line := range step.plan {
			if !strings.Contains(squeezed, line) {
				t.Errorf("%s: the plan has no %s:\n%s", step.name, line, plan)
			}
		}
		requests := e.CountRequests()
		w.Apply()
		if step.name != "no text" {
			if err := requests.Expect(acctest.PathServingUpdate, step.sent)(nil); err != nil {
				t.Errorf("%s: %v", step.name, err)
			}
		}
		w.Plan(acctest.PlanEmpty)
		response, err := e.API.QueryServing(context.Background(), base.servingID())
		if err != nil {
			t.Fatal(err)
		}
		if want := encoded(step.has); !tfvalue.ConfigTextEqual(response.ServingInputConfig, want) {
			t.Errorf("%s: Kuscia has %q, want %q", step.name, response.ServingInputConfig, want)
		}
		if state := w.Read("terraform.tfstate"); (current.hidden != "") == strings.Contains(state, "hidden-key") && step.has != `""` {
			t.Errorf("%s: the state has the text: %v", step.name, current.hidden != "")
		}
	}
}

// TestAccServing_hiddenAfterAnotherClient: a text that becomes write-only is sent if
// another client has changed it, although the state has the same text.
func TestAccServing_hiddenAfterAnotherClient(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestUpdateOfConfigForms"))
	e := newEnv(t)
	acctest.RequireWriteOnly(t)
	base := alone(e, "test", e.AppImage())
	w := e.Applied(t, base.with(show(hiddenModel1)).String())
	e.Do(func(ctx context.Context, api *kuscia.Client) error {
		return api.UpdateServing(ctx, &kuscia.UpdateServingRequest{ServingID: base.servingID(), ServingInputConfig: encoded(hiddenModel2)})
	})()
	w.Write("main.tf", base.with(hide(hiddenModel1, 1)).String())
	w.Run(0, "apply", "-auto-approve", "-input=false", "-refresh=false")
	response, err := e.API.QueryServing(context.Background(), base.servingID())
	if err != nil || !tfvalue.ConfigTextEqual(response.ServingInputConfig, encoded(hiddenModel1)) {
		t.Errorf("Kuscia has %+v (%v)", response, err)
	}
	w.Plan(acctest.PlanEmpty)
}

// encoded returns the result of jsonencode for the texts above.
func encoded(expression string) string {
	switch expression {
	case hiddenModel1:
		return `{"key":"hidden-key-1","model":1}`
	case hiddenModel2:
		return `{"key":"hidden-key-2","model":2}`
	}
	return ""
}

// TestAccServing_hiddenConfigLost: after a lost response to an update it is
// unknown which text Kuscia has. The state records that without the text, and
// the next apply resolves it.
func TestAccServing_hiddenConfigLost(t *testing.T) {
	acctest.SkipShort(t, acctest.LongWait)
	e := newEnv(t)
	acctest.RequireWriteOnly(t)
	e.RequireSandbox(t, "drops answers")
	for name, c := range map[string]struct {
		before, after, then func(*servingHCL)
		happens             bool
	}{
		"another version, stored":     {hide(hiddenModel1, 1), hide(hiddenModel2, 2), hide(hiddenModel2, 2), true},
		"another version, not stored": {hide(hiddenModel1, 1), hide(hiddenModel2, 2), hide(hiddenModel2, 2), false},
		"reverted":                    {hide(hiddenModel1, 1), hide(hiddenModel2, 2), hide(hiddenModel1, 1), true},
		"hidden":                      {show(hiddenModel1), hide(hiddenModel2, 2), hide(hiddenModel2, 2), true},
		"shown":                       {hide(hiddenModel1, 1), show(hiddenModel2), hide(hiddenModel1, 1), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // some wait for wait.StartTimeout
			e := acctest.NewSandbox(t, sandbox.Options{})
			w := e.NewWorkspace(t)
			base := alone(e, "test", e.AppImage())
			w.Write("provider.tf", acctest.ProviderBlock(map[string]any{"max_retries": 0}))
			w.Write("main.tf", base.with(c.before).String())
			w.Run(0, "init", "-input=false")
			w.DestroyAtEnd()
			w.Apply()
			w.Write("main.tf", base.with(c.after).String())
			e.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultReset, Path: "serving/update", AfterEffect: c.happens, Times: sandbox.Always})
			w.Run(1, "apply", "-auto-approve", "-input=false")
			e.Sandbox.ClearFaults()
			if state := w.Read("terraform.tfstate"); strings.Contains(state, "hidden-key") {
				t.Errorf("the state has the text:\n%s", state)
			}
			last := base.with(c.then)
			w.Write("main.tf", last.String())
			w.Plan(acctest.PlanDiffers)
			w.Apply()
			w.Plan(acctest.PlanEmpty)
			response, err := e.API.QueryServing(context.Background(), base.servingID())
			if err != nil || !tfvalue.ConfigTextEqual(response.ServingInputConfig, encoded(last.hidden)) {
				t.Errorf("Kuscia has %+v (%v), want %s", response, err, last.hidden)
			}
		})
	}
}

// TestAccServing_hiddenConfigUncertain: the result of a create with an unknown
// outcome is not compared with a text that the state does not have. The next
// apply with adopt_existing adopts the serving if it has the desired text, and
// only then.
func TestAccServing_hiddenConfigUncertain(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestAdoptConfigForms", "TestLostCreate"))
	requireAcc(t)
	t.Parallel()
	acctest.RequireWriteOnly(t)
	for name, ours := range map[string]bool{"ours": true, "somebody else's": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := acctest.NewSandbox(t, sandbox.Options{})
			w := e.NewWorkspace(t)
			w.Write("provider.tf", acctest.ProviderBlock(map[string]any{"max_retries": 0}))
			base := alone(e, "test", e.AppImage()).with(hide(hiddenModel1, 1)).with(func(s *servingHCL) { s.timeouts = `{ create = "2s" }` })
			w.Write("main.tf", base.String())
			w.Run(0, "init", "-input=false")
			w.DestroyAtEnd()
			e.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultReset, Path: "serving/create", AfterEffect: true, Times: 1})
			e.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultReset, Path: "serving/query", Times: sandbox.Always})
			w.Run(1, "apply", "-auto-approve", "-input=false")
			e.Sandbox.ClearFaults()
			if !ours {
				if err := e.Sandbox.MutateServing(base.servingID(), func(s *sandbox.ServingSpec) { s.InputConfig = encoded(hiddenModel2) }); err != nil {
					t.Fatal(err)
				}
			}
			w.Write("main.tf", base.with(func(s *servingHCL) { s.timeouts = "" }).String())
			requests := e.CountRequests()
			if output, code := w.Try("apply", "-no-color", "-auto-approve", "-input=false"); code == 0 || !strings.Contains(acctest.Plain(output), "import { to = kuscia_serving.NAME") {
				t.Errorf("exit code %d without adopt_existing: %s", code, acctest.Plain(output))
			}
			w.Write("provider.tf", acctest.ProviderBlock(map[string]any{"max_retries": 0, "adopt_existing": true}))
			output, code := w.Try("apply", "-no-color", "-auto-approve", "-input=false")
			if text := acctest.Plain(output); ours != (code == 0) || !ours && !strings.Contains(text, "It differs from the configuration in serving_input_config") || strings.Contains(text, "hidden-key") {
				t.Errorf("exit code %d: %s", code, text)
			}
			if err := requests.ExpectNone(acctest.PathServingDelete)(nil); err != nil {
				t.Error(err)
			}
			if ours {
				w.Plan(acctest.PlanEmpty)
			}
			if !ours {
				if _, err := e.Sandbox.Serving(base.servingID()); err != nil {
					t.Errorf("the other client's serving: %v", err)
				}
			}
		})
	}
}

// TestAccServing_hiddenConfigOtherWriter: if the text right after the update is
// not the one that was sent, that is an error, and the next apply sends it
// again.
func TestAccServing_hiddenConfigOtherWriter(t *testing.T) {
	acctest.SkipShort(t, acctest.LongWait)
	requireAcc(t)
	t.Parallel()
	acctest.RequireWriteOnly(t)
	e := acctest.NewSandbox(t, sandbox.Options{})
	base := alone(e, "test", e.AppImage())
	w := e.Applied(t, base.with(hide(hiddenModel1, 1)).String())
	w.Write("main.tf", base.with(hide(hiddenModel2, 2)).String())
	// The update appears to succeed and has no effect.
	e.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultBody, Path: "serving/update", Body: `{"status":{"code":0,"message":"success"}}`, Times: 1})
	output := w.Run(1, "apply", "-auto-approve", "-input=false")
	if text := acctest.Plain(output); !strings.Contains(text, "is not as planned") || strings.Contains(text, "hidden-key") {
		t.Errorf("the diagnostics are %s", text)
	}
	if state := w.Read("terraform.tfstate"); strings.Contains(state, "hidden-key") {
		t.Error("the state has the text")
	}
	w.Plan(acctest.PlanDiffers)
	w.Apply()
	w.Plan(acctest.PlanEmpty)
}

// TestAccServing_hiddenConfigImport: an import does not know the form and reads
// the text; the first apply removes it from the state without a request.
func TestAccServing_hiddenConfigImport(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestPlanConfigFormsAfterImport"))
	e := newEnv(t)
	acctest.RequireWriteOnly(t)
	base := alone(e, "test", e.AppImage()).with(hide(hiddenModel1, 1))
	handmade(t, e, &kuscia.CreateServingRequest{
		ServingID: base.servingID(), Initiator: "alice", ServingInputConfig: encoded(hiddenModel1),
		Parties: []kuscia.ServingParty{{DomainID: "alice", AppImage: strings.Trim(base.parties[0].image, `"`)}},
	})
	w := e.Initialized(t, base.String()+acctest.ImportInto("kuscia_serving.test", base.servingID()))
	w.DestroyAtEnd()
	plan := w.Plan(acctest.PlanDiffers)
	if !strings.Contains(plan, "1 to import, 0 to add, 1 to change, 0 to destroy") {
		t.Errorf("the import changes more than the state:\n%s", plan)
	}
	requests := e.CountRequests()
	w.Apply()
	if err := requests.ExpectNone(acctest.PathServingUpdate)(nil); err != nil {
		t.Error(err)
	}
	w.Plan(acctest.PlanEmpty)
	if state := w.Read("terraform.tfstate"); strings.Contains(state, "hidden-key") {
		t.Error("the state has the text after the apply")
	}
}

// TestAccServing_configFormsRefused: anything but one complete form is rejected
// before anything is sent.
func TestAccServing_configFormsRefused(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestValidateConfigForms"))
	e := newEnv(t)
	acctest.RequireWriteOnly(t)
	w := e.NewWorkspace(t)
	base := alone(e, "test", e.AppImage())
	refused := map[string]func(*servingHCL){
		"Both serving_input_config":                func(s *servingHCL) { s.config, s.hidden, s.version = `"{}"`, `"{}"`, "1" },
		"change it whenever the text changes":      func(s *servingHCL) { s.hidden = `"{}"` },
		"Set both or neither":                      func(s *servingHCL) { s.version = "1" },
		"Omit it":                                  func(s *servingHCL) { s.hidden, s.version = `""`, "1" },
		"is 0; use a whole number from 1":          func(s *servingHCL) { s.hidden, s.version = `"{}"`, "0" },
		"Configuration text is not JSON":           func(s *servingHCL) { s.hidden, s.version, s.triggers = `"plain"`, "1", `{ n = "1" }` },
		"Set serving_input_config_wo_version, for": func(s *servingHCL) { s.hidden, s.version = `"{}"`, "terraform_data.none.output" },
	}
	none := acctest.Block("terraform_data", "none", nil)
	requests := e.CountRequests()
	for message, change := range refused {
		w.Write("main.tf", base.with(change).String()+none)
		w.Run(0, "init", "-input=false")
		output, code := w.Try("apply", "-no-color", "-auto-approve", "-input=false")
		if text := acctest.Plain(output); code != 1 || !strings.Contains(text, message) {
			t.Errorf("no %q but %d: %s", message, code, text)
		}
	}
	if err := requests.ExpectNone(acctest.PathServingCreate)(nil); err != nil {
		t.Error(err)
	}
	w.Write("main.tf", none)
	w.Run(0, "destroy", "-auto-approve", "-input=false")
}
