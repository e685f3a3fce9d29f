package serving_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
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
		"next version":      {writeOnly(yaml, 1), writeOnly(yaml, 2), true, "unknown", firstImage, 0},
		"JSON that follows": {plain(json), writeOnly(json, 1), true, second, second, 1},
		"another text":      {writeOnly(yaml, 1), writeOnly("model: 2", 2), true, "unknown", second, 1},
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
