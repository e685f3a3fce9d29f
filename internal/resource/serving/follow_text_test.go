package serving_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// TestFollowSameText: another version of a write-only text, or the change to one, sends nothing
// if Kuscia has the text already. The pods then keep their image, unless the serving follows a
// new one. What it is, is known after the apply.
func TestFollowSameText(t *testing.T) {
	writeOnly := func(text string, version int) protocol.Object {
		return protocol.Object{"serving_input_config": nil, "serving_input_config_wo": text, "serving_input_config_wo_version": version}
	}
	plain := func(text string) protocol.Object {
		return protocol.Object{"serving_input_config": text, "serving_input_config_wo": nil, "serving_input_config_wo_version": nil}
	}
	const yaml, json, second = "model: 1", `{"model":1}`, "example.com/app:2"
	for name, test := range map[string]struct {
		before, after   protocol.Object
		follows         bool
		planned, result string
		updates         int
	}{
		"next version":      {writeOnly(yaml, 1), writeOnly(yaml, 2), false, "unknown", firstImage, 0},
		"next, follows":     {writeOnly(yaml, 1), writeOnly(yaml, 2), true, second, second, 1},
		"JSON that follows": {plain(json), writeOnly(json, 1), true, second, second, 1},
		"another text":      {writeOnly(yaml, 1), writeOnly("model: 2", 2), false, "unknown", second, 1},
	} {
		t.Run(name, func(t *testing.T) {
			maps.Copy(test.before, protocol.Object{"follow_app_image": test.follows})
			f := newFollowing(t, sandbox.Options{}, test.before)
			f.defines(tagged("2"))
			f.mustRead()
			maps.Copy(f.of, test.after)
			planned, _ := f.planned(f.run())
			f.expect(planned, both(test.planned))
			f.apply()
			f.expect(f.state, both(test.result))
			f.runs(both(test.result))
			if n := f.updates(); n != test.updates {
				t.Errorf("%d updates", n)
			}
			if planned, _ := f.planned(f.run()); !planned.Value.Equal(f.state.Value) {
				t.Errorf("the next plan is not empty: %s", planned.Value)
			}
		})
	}
}

// TestIgnoredText: a write-only text that is null beside the version of the state is Kuscia's. A
// plan that would restart pods with it asks Kuscia whether that is possible.
func TestIgnoredText(t *testing.T) {
	const rotated = `{"model":2}`
	for name, test := range map[string]struct {
		text    string
		tag     string
		changes protocol.Object
		image   string
		updates int
		says    string
		unasked bool
		// percentage is whether a party has one, so that no text has to be sent again.
		percentage bool
	}{
		"follows":           {text: "model: 2", tag: "2", image: "example.com/app:2", updates: 1, unasked: true, percentage: true},
		"follows with it":   {text: rotated, tag: "2", image: "example.com/app:2", updates: 1, says: "serving_input_config is sent again"},
		"cannot follow":     {text: "model: 2", tag: "2", image: firstImage, says: "the pods of this party were last updated to"},
		"restarts":          {text: rotated, tag: "1", changes: protocol.Object{"redeploy_triggers": protocol.Object{"again": "2"}}, image: firstImage, updates: 1},
		"cannot restart":    {text: "model: 2", tag: "1", changes: protocol.Object{"redeploy_triggers": protocol.Object{"again": "2"}}, says: "not JSON"},
		"another attribute": {text: "model: 2", tag: "1", changes: protocol.Object{"progress_deadline": "9m"}, image: firstImage, unasked: true},
		"nothing else":      {text: "model: 2", tag: "1", image: firstImage, unasked: true},
	} {
		t.Run(name, func(t *testing.T) {
			changes := protocol.Object{
				"serving_input_config": nil, "serving_input_config_wo": `{"model":1}`, "serving_input_config_wo_version": 1, "redeploy_triggers": protocol.Object{"again": "1"},
			}
			if !test.percentage {
				changes["parties"] = withoutPercentage(nil)
			}
			f := newFollowing(t, sandbox.Options{}, changes)
			protocol.NoError(t, f.env.Sandbox.MutateServing("glm", func(s *sandbox.ServingSpec) { s.InputConfig = test.text }))
			f.env.Sandbox.Advance(time.Minute) // Kuscia has applied it, with the first image
			f.quiet()
			f.defines(tagged(test.tag))
			f.mustRead()
			updates := f.updates()
			maps.Copy(f.of, protocol.Object{"serving_input_config_wo": nil})
			maps.Copy(f.of, test.changes)
			requests := f.env.CountRequests()
			r := f.run()
			response, _ := r.Plan(t, f.config(r), f.state)
			said := protocol.Messages(response.Diagnostics)
			if err := requests.ExpectNone(acctest.PathServingQuery)(nil); test.unasked && err != nil {
				t.Error(err)
			}
			if test.says != "" {
				protocol.Says(t, "the plan", said, test.says)
			} else if said != "" && !onlyStops(said) {
				t.Errorf("the plan says %s", said)
			}
			if protocol.Failed(response.Diagnostics) {
				return
			}
			f.apply()
			f.runs(both(test.image))
			if n := f.updates() - updates; n != test.updates {
				t.Errorf("%d updates", n)
			}
			if found, err := f.env.API.QueryServing(t.Context(), "glm"); err != nil || !tfvalue.ConfigTextEqual(found.ServingInputConfig, test.text) {
				t.Errorf("Kuscia has the text %q: %v", found.ServingInputConfig, err)
			}
			if planned, _ := f.planned(f.run()); !planned.Value.Equal(f.state.Value) {
				t.Errorf("the next plan is not empty: %s", planned.Value)
			}
		})
	}
}

// TestTextsOfAnUpdateAreMasked: what Kuscia echoes while an update is made is neither the new text
// nor the one from before, which only Kuscia has.
func TestTextsOfAnUpdateAreMasked(t *testing.T) {
	writeOnly := func(text string, version int) protocol.Object {
		return protocol.Object{"serving_input_config": nil, "serving_input_config_wo": text, "serving_input_config_wo_version": version}
	}
	const before, after = `{"model":"the-text-from-before"}`, `{"model":"the-text-of-the-update"}`
	for _, at := range []string{"serving/update", "serving/status/batchQuery"} {
		t.Run(at, func(t *testing.T) {
			f := newFollowing(t, sandbox.Options{}, writeOnly(before, 1))
			maps.Copy(f.of, writeOnly(after, 2))
			maps.Copy(f.of, protocol.Object{"timeouts": protocol.Object{"update": "3s"}})
			f.env.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultCode, Path: at, Message: "no " + before + ", no " + after, Times: sandbox.Always})
			r := f.run()
			_, said := r.Apply(t, f.config(r), f.state)
			if !strings.Contains(said, "***") || strings.Contains(said, "the-text-") {
				t.Error(said)
			}
		})
	}
}
