package edgedeployment

import (
	"slices"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	sandbox "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestInstanceRevision: the revision rises in the plan of an update that replaces the instances, and
// of no other; where that depends on an unknown value it is unknown.
func TestInstanceRevision(t *testing.T) {
	inBoth(t, func(t *testing.T, version func(tree)) {
		t.Helper()
		l := newLive(t, sandbox.Options{Timing: sandbox.Timing{Start: time.Nanosecond, Remove: time.Nanosecond}})
		client := l.run.IEF.Client
		revision := func(of definition.Value) types.Int64 {
			return definition.Int64Of(definition.At(of, attrInstanceRevision))
		}
		instances := func() (ids []string) {
			pods, err := client.Pods(t.Context(), scopeOf(l.state.Value, nil), l.state.Text("id"))
			protocol.NoError(t, err)
			for _, pod := range pods {
				ids = append(ids, pod.ID)
			}
			return ids
		}
		l.applied(version)
		if first := revision(l.state.Value); first.ValueInt64() != 1 {
			t.Fatalf("a new deployment has revision %s", first)
		}
		env := func(value any) func(tree) { return container("envs", []any{tree{"name": "A", "value": value}}) }
		for _, step := range []struct {
			what    string
			changes []func(tree)
			unknown func(tree)
			rises   bool
		}{
			{what: "an image", changes: []func(tree){image("kuscia:2")}, rises: true},
			{what: "a description", changes: []func(tree){image("kuscia:2"), attribute("description", "d")}},
			{what: "a timeout", changes: []func(tree){image("kuscia:2"), within("update", "3m")}},
			{what: "a variable", changes: []func(tree){image("kuscia:2"), env("1")}, unknown: env(definition.Unknown), rises: true},
			{what: "the same variable, unknown in the plan", changes: []func(tree){image("kuscia:2"), env("1")}, unknown: env(definition.Unknown)},
		} {
			changes := append([]func(tree){version}, step.changes...)
			want := revision(l.state.Value).ValueInt64()
			if step.rises {
				want++
			}
			before := instances()
			config := minimal(changes...)
			if step.unknown != nil {
				step.unknown(config)
			}
			response, planned := l.Plan(t, configured(config), l.state)
			protocol.Check(t, nil, response.Diagnostics)
			if got := revision(planned); got.IsUnknown() != (step.unknown != nil) || !got.IsUnknown() && got.ValueInt64() != want {
				t.Errorf("%s: planned %s, want %d", step.what, got, want)
			}
			l.applied(changes...)
			if got := revision(l.state.Value); got.ValueInt64() != want {
				t.Errorf("%s: applied %s, want %d", step.what, got, want)
			}
			if replaced := !slices.Equal(before, instances()); replaced != step.rises {
				t.Errorf("%s: instances replaced: %t, from %q to %q", step.what, replaced, before, instances())
			}
		}
		if imported := revision(l.Imported(t, l.state.Text("id")).Value); imported.ValueInt64() != 1 {
			t.Errorf("after an import: %s", imported)
		}
	})
}
