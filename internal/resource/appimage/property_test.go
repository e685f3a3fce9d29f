package appimage

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// configs generates configurations. With unknowns, any part may be unknown.
func configs(unknowns bool) definitiontest.Generator {
	quantities := []string{"", "0", "0.1", "100m", "1", "1000m", "1Gi", "1024Mi", "1.5Gi", "1536Mi", "128974848000m", "129e6"}
	return definitiontest.Generator{
		Definition: appImage.Definition, Fixed: tree{"name": "app"}, Keys: []string{"a.conf", "b.conf"}, Unknowns: unknowns,
		Texts: map[string][]string{
			"protocol": {"", "HTTP", "GRPC"}, "scope": {"", "Local", "Domain"}, "cpu": quantities, "memory": quantities,
		},
	}
}

// TestPropertySequence: for any configuration and any prior state the plan is
// legal, can be applied and reads back as planned, and the next plan is empty.
// An import results in the same state as a create.
func TestPropertySequence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		prior := none()
		for i := range 3 {
			desired := configs(false).Config(t, fmt.Sprint("config ", i))
			change := plan(desired, prior)
			definitiontest.Legal(t, appImage.Definition.ResourceSchema(), prior, desired, change.planned)
			state := applied(t, change.planned)
			if again := plan(desired, state); again.replace || !again.planned.Equal(state) {
				t.Fatalf("the next plan is not empty: %v", diff(again.planned, state))
			}
			wire := wired(definitionOf(change.planned))
			imported := refreshed(answered(served(wire)), none())
			if again := plan(desired, imported); len(appImage.Definition.Sent(definitionOf(imported), definitionOf(again.planned))) > 0 {
				t.Fatalf("the plan after an import sends a change: %v", diff(again.planned, imported))
			}
			for _, revision := range []string{attrRolloutRevision, attrDefinitionRevision} {
				if !definition.FieldsOf(imported)[revision].Equal(definition.FieldsOf(state)[revision]) {
					t.Fatalf("import and create differ in %s", revision)
				}
			}
			same := len(appImage.Definition.Differences(definitionOf(prior), definitionOf(change.planned))) == 0
			if sends := len(appImage.Definition.Sent(definitionOf(prior), definitionOf(change.planned))) > 0; !prior.IsNull() && same == sends {
				t.Fatalf("the same meaning: %v, a request: %v", same, sends)
			}
			prior = state
		}
	})
}

// TestPropertyUnknown: a plan with unknown parts is legal, and its known values
// are those of the apply.
func TestPropertyUnknown(t *testing.T) {
	definitiontest.UnknownPlans{
		Generator: configs, Issues: appImage.Issues,
		Prior: func(t *rapid.T, _, planned definition.Value) definition.Value { return applied(t, planned) },
		Late:  func(t *rapid.T, planned definition.Value) { applied(t, planned) },
	}.Check(t)
}

// applied is afterApply for property tests.
func applied(t *rapid.T, planned tftypes.Value) tftypes.Value {
	request, diags := createRequest(planned)
	if diags.HasError() {
		t.Fatalf("request: %v", diags)
	}
	state := refreshed(answered(served(request)), planned)
	if !state.Equal(planned) {
		t.Fatalf("the response differs from the plan: %v", diff(state, planned))
	}
	return state
}

func diff(a, b tftypes.Value) any {
	found, err := a.Diff(b)
	if err != nil {
		return err
	}
	return found
}

// FuzzName: the check accepts any name without a panic, and the valid names are
// those that Kuscia and Kubernetes accept.
func FuzzName(f *testing.F) {
	for _, seed := range []string{"", "a", "secretflow-1.2.0", "A", "a..b", "a.-b", "-a", "a_b", "a/b", "é"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if checkName(name) == "" && (!kusciaName.MatchString(name) || !kubernetesName.MatchString(name)) {
			t.Errorf("%q is accepted", name)
		}
	})
}

// FuzzResponse: any response can be read without a panic, and the result is
// stable.
func FuzzResponse(f *testing.F) {
	f.Add([]byte(`{"name":"a","deploy_templates":[{"name":"t","containers":[{"name":"c","resources":{"limits":{"cpu":"100m"}},"liveness_probe":{}}]}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		image, err := decodeImage(body)
		if err != nil {
			t.Skip("not a response")
		}
		state := refreshed(answered(image), none())
		if again := refreshed(answered(image), state); !again.Equal(state) {
			t.Error("two reads of the same response differ")
		}
		_ = appImage.Issues(state)
		if request, diags := createRequest(state); diags.HasError() {
			t.Error(diags)
		} else if len(appImage.Definition.Differences(definitionOf(state), answered(request))) > 0 {
			t.Error("the request differs from the response")
		}
	})
}
