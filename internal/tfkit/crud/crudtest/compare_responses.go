package crudtest

import (
	"bytes"
	"reflect"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TB has the common methods of *testing.T and *rapid.T.
type TB interface {
	protocol.Failer
	Errorf(format string, args ...any)
}

// CompareResponses compares the complete responses of a server without shortcuts (bare)
// and one with shortcuts (fast) to a validation, a plan, a refresh and an
// upgrade.
func CompareResponses(t TB, bare, fast *Server, config definition.Value, state State) {
	t.Helper()
	if got, want := messages(fast.Validate(t, config).Diagnostics), messages(bare.Validate(t, config).Diagnostics); !slices.Equal(got, want) {
		t.Errorf("validation diagnostics %q, want %q", got, want)
	}
	agreeOnPlan(t, bare, fast, config, state)
	if state.Value.IsNull() {
		return
	}
	agreeOnRead(t, bare, fast, state)
	if state.Value.IsFullyKnown() {
		got, want := fast.Upgrade(t, state.Value), bare.Upgrade(t, state.Value)
		if a, b := protocol.Decode(bare.Kind, got.UpgradedState), protocol.Decode(bare.Kind, want.UpgradedState); !a.Equal(b) || len(got.Diagnostics) != len(want.Diagnostics) {
			t.Errorf("upgraded\n%s\nwant\n%s", a, b)
		}
	}
}

// messages are the diagnostics in a stable order; the framework iterates over
// maps.
func messages(diagnostics []*tfprotov6.Diagnostic) []string {
	return slices.Sorted(strings.SplitSeq(protocol.Messages(diagnostics), "\n"))
}

func agreeOnPlan(t TB, bare, fast *Server, config definition.Value, state State) {
	t.Helper()
	got, a := fast.Plan(t, config, state)
	want, b := bare.Plan(t, config, state)
	if !a.Equal(b) {
		t.Errorf("planned\n%s\nwant\n%s", a, b)
	}
	if !bytes.Equal(got.PlannedPrivate, want.PlannedPrivate) {
		t.Errorf("planned private %s, want %s", got.PlannedPrivate, want.PlannedPrivate)
	}
	if x, y := messages(got.Diagnostics), messages(want.Diagnostics); !slices.Equal(x, y) {
		t.Errorf("plan diagnostics %q, want %q", x, y)
	}
	// Compare the remaining fields as a whole, so that fields added later are
	// compared too.
	for _, response := range []*tfprotov6.PlanResourceChangeResponse{got, want} {
		response.PlannedState, response.PlannedPrivate, response.Diagnostics = nil, nil, nil
		if len(response.RequiresReplace) == 0 {
			response.RequiresReplace = nil
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("plan is %+v, want %+v", got, want)
	}
}

func agreeOnRead(t TB, bare, fast *Server, state State) {
	t.Helper()
	got, a := fast.Read(t, state)
	want, b := bare.Read(t, state)
	if !a.Value.Equal(b.Value) {
		t.Errorf("read\n%s\nwant\n%s", a.Value, b.Value)
	}
	if !bytes.Equal(got.Private, want.Private) {
		t.Errorf("private %s, want %s", got.Private, want.Private)
	}
	if x, y := messages(got.Diagnostics), messages(want.Diagnostics); !slices.Equal(x, y) {
		t.Errorf("read diagnostics %q, want %q", x, y)
	}
	for _, response := range []*tfprotov6.ReadResourceResponse{got, want} {
		response.NewState, response.Private, response.Diagnostics = nil, nil, nil
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read is %+v, want %+v", got, want)
	}
}
