package rollout

import (
	"encoding/json"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// throughJSON encodes and decodes an object, as a server does.
func throughJSON(t *rapid.T, in map[string]any) map[string]any {
	encoded, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(encoded, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// sentRollout returns the response of a server that has stored a Rollout.
func sentRollout(t *rapid.T, wanted *object) *object {
	encoded, err := wanted.Object(kruise.V1Beta1)
	if err != nil {
		t.Fatal(err)
	}
	read, err := kruise.RolloutFrom(throughJSON(t, encoded))
	if err != nil {
		t.Fatal(err)
	}
	if !kruise.SameRollout(read, &wanted.Rollout) {
		t.Fatalf("sent %v, read %v", encoded, read)
	}
	return &object{Rollout: *read}
}

func sentRouting(t *rapid.T, wanted *routing) *routing {
	encoded, err := wanted.Object()
	if err != nil {
		t.Fatal(err)
	}
	read, err := readRouting(throughJSON(t, encoded))
	if err != nil {
		t.Fatal(err)
	}
	if again, err := read.Object(); err != nil || !reflect.DeepEqual(again["spec"], encoded["spec"]) {
		t.Fatalf("sent %v, read %v", encoded, read)
	}
	return &read
}

// TestPropertyRoundTrip: after an apply of any valid configuration, the read
// returns exactly the state, the next plan is empty, and so is the plan after
// an import. The same holds for an update to any other configuration.
func TestPropertyRoundTrip(t *testing.T) {
	t.Parallel()
	t.Run("rollouts", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) { roundTrip(t, rollout, ValidRollouts("r"), sentRollout) })
	})
	t.Run("traffic routing", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) { roundTrip(t, trafficRouting, ValidRoutings("r"), sentRouting) })
	})
}

func roundTrip[W any](t *rapid.T, o *crud.Object[W], drawn *rapid.Generator[definitiontest.Drawn], sent func(*rapid.T, *W) *W) {
	state := o.Definition.Null()
	for range 4 {
		config := o.Definition.Encode(drawn.Draw(t, "config").Tree)
		for _, issue := range o.Issues(config) {
			if issue.Severity != check.Doubtful {
				t.Fatalf("generated configuration is invalid: %v", issue)
			}
		}
		plan := o.Definition.Plan(config, state, definition.PlanOptions{})
		definitiontest.Legal(t, o.Definition.ResourceSchema(), state, config, plan.Planned)
		wanted, diags := o.Request(plan.Planned, config)
		if diags.HasError() {
			t.Fatalf("%v", diags)
		}
		response := o.Definition.FromServer(o.FromWire(sent(t, wanted)))
		if different := o.Definition.Differences(plan.Planned, response); len(different) > 0 {
			t.Fatalf("the response differs in %v", different)
		}
		state = o.Definition.Filled(o.Definition.Derived(plan.Planned), o.Definition.Null())
		if read := o.Definition.Refreshed(response, state); !definition.Equal(read, state) {
			diff, _ := read.Diff(state)
			t.Fatalf("the refreshed state differs: %v", diff)
		}
		if again := o.Definition.Plan(config, state, definition.PlanOptions{}); !definition.Equal(again.Planned, state) || len(again.Sent) > 0 {
			diff, _ := again.Planned.Diff(state)
			t.Fatalf("the second plan is not empty: %v", diff)
		}
		imported := o.Definition.Refreshed(response, o.Definition.Null())
		if first := o.Definition.Plan(config, imported, definition.PlanOptions{Imported: true}); len(first.Sent) > 0 || len(first.Replaces) > 0 {
			t.Fatalf("the plan after an import is not empty: %v", first.Sent)
		}
	}
}

// TestPropertyUnknown: a plan with unknown parts is legal, and its known values
// are those of the plan with all values known.
func TestPropertyUnknown(t *testing.T) {
	t.Parallel()
	t.Run("rollouts", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) { unknown(t, rollout, anyRollouts("r", true)) })
	})
	t.Run("traffic routing", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) { unknown(t, trafficRouting, anyRoutings("r", true)) })
	})
}

func unknown[W any](t *rapid.T, o *crud.Object[W], drawn definitiontest.Generator) {
	prior := o.Definition.Null()
	known := drawn
	known.Unknowns = false
	if rapid.Bool().Draw(t, "update") {
		before := o.Definition.Encode(known.Configurations().Draw(t, "prior").Tree)
		prior = o.Definition.Filled(o.Definition.Plan(before, prior, definition.PlanOptions{}).Planned, o.Definition.Null())
	}
	open := drawn.Configurations().Draw(t, "config").Tree
	config := o.Definition.Encode(open)
	early := o.Definition.Plan(config, prior, definition.PlanOptions{}).Planned
	definitiontest.Legal(t, o.Definition.ResourceSchema(), prior, config, early)
	_ = o.Issues(config)

	resolved := o.Definition.Encode(drawn.Resolve(t, open).Tree)
	late := o.Definition.Plan(resolved, prior, definition.PlanOptions{}).Planned
	definitiontest.Legal(t, o.Definition.ResourceSchema(), prior, resolved, late)
	if at, ok := definitiontest.Conforms(early, late, "object"); !ok {
		t.Fatalf("the plans with unknown and known values do not agree: %s", at)
	}
}
