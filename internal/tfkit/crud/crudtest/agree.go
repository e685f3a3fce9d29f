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

// TB is what *testing.T and *rapid.T have.
type TB interface {
	protocol.Failer
	Errorf(format string, args ...any)
}

// Agree compares whole answers of two servers, by the framework alone and with
// shortcuts: to a validation, a plan, a refresh and an upgrade.
func Agree(t TB, bare, fast *Server, config definition.Value, state State) {
	t.Helper()
	if got, want := messages(fast.Validate(t, config).Diagnostics), messages(bare.Validate(t, config).Diagnostics); !slices.Equal(got, want) {
		t.Errorf("validate says %q, want %q", got, want)
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

// messages are diagnostics in a stable order: the framework goes through maps.
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
		t.Errorf("plan says %q, want %q", x, y)
	}
	// The remaining fields as a whole, so that a new one is compared as well.
	for _, answer := range []*tfprotov6.PlanResourceChangeResponse{got, want} {
		answer.PlannedState, answer.PlannedPrivate, answer.Diagnostics = nil, nil, nil
		if len(answer.RequiresReplace) == 0 {
			answer.RequiresReplace = nil
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
		t.Errorf("read says %q, want %q", x, y)
	}
	for _, answer := range []*tfprotov6.ReadResourceResponse{got, want} {
		answer.NewState, answer.Private, answer.Diagnostics = nil, nil, nil
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read is %+v, want %+v", got, want)
	}
}
