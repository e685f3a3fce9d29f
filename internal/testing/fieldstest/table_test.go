package fieldstest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

// The table in ../../tfkit/manifest/README.md, between its heading and the next one.
const (
	readme  = "../../tfkit/manifest/README.md"
	heading = "## Fields that the KusciaAPI does not carry\n"
	columns = 6
)

// row is a field of the table, of a resource or of one with an old Kuscia. Its cells say what a change does to the field of an object that was
// imported, for the four cases.
type row struct {
	resource, field string
	cells           map[change]string
}

type change struct{ replace, cluster bool }

func (c change) String() string {
	name := map[bool]string{false: "update", true: "replacement"}[c.replace]
	return name + map[bool]string{false: " without a cluster", true: " with a cluster"}[c.cluster]
}

var changes = []change{{false, true}, {false, false}, {true, true}, {true, false}}

// What a cell says.
const (
	kept    = "kept"
	refused = "refused"
	warning = "warning"
)

func table(t *testing.T) (rows []row) {
	t.Helper()
	_, text, found := strings.Cut(testfile.Read(t, readme), heading)
	if !found {
		t.Fatalf("%s has no %q", readme, heading)
	}
	text, _, _ = strings.Cut(text, "\n#")
	resource := ""
	for _, line := range strings.Split(text, "\n") {
		cells := strings.Split(line, "|")
		if len(cells) != columns+2 || !strings.Contains(cells[2], "`") {
			continue
		}
		cells = cells[1 : columns+1]
		for i := range cells {
			cells[i] = strings.TrimSpace(strings.ReplaceAll(cells[i], "`", ""))
		}
		if cells[0] != "" {
			resource = cells[0]
		}
		r := row{resource, cells[1], map[change]string{}}
		for i, c := range changes {
			r.cells[c] = cells[2+i]
		}
		rows = append(rows, r)
	}
	return rows
}

// TestTable: every field of every kind has a row, and each row is true.
func TestTable(t *testing.T) {
	t.Parallel()
	rows := table(t)
	for name, k := range kinds {
		for field := range k.fields {
			if !slices.ContainsFunc(rows, func(r row) bool { return r.resource == name && r.field == field }) {
				t.Errorf("%s: no row for %s", name, field)
			}
		}
	}
	for _, r := range rows {
		if _, has := kinds[r.resource].fields[r.field]; !has {
			t.Errorf("%s: there is no field %q", r.resource, r.field)
		}
	}
	for name, k := range kinds {
		for _, c := range changes {
			if k.ofCluster && !c.cluster {
				for _, r := range rows {
					if r.resource == name && r.cells[c] != "" {
						t.Errorf("%s: there is no %s", name, c)
					}
				}
				continue
			}
			// An object has all fields that the same change concerns.
			alone := map[bool][]row{}
			for _, r := range rows {
				if r.resource == name {
					alone[!c.replace && k.fields[r.field].update != nil] = append(alone[!c.replace && k.fields[r.field].update != nil], r)
				}
			}
			for other, rows := range alone {
				t.Run(fmt.Sprintf("%s/%s/%t", name, c, other), func(t *testing.T) {
					t.Parallel()
					newBenchOf(t, k.version).walk(name, rows, c)
				})
			}
		}
	}
}

// walk imports an object with fields, changes it, and compares with a column of the table.
func (b *bench) walk(name string, rows []row, c change) {
	k := kinds[name]
	of := k.make(b)
	with := k.update
	if c.replace {
		with = k.replace
	} else if update := k.fields[rows[0].field].update; update != nil {
		with = update
	}
	before := b.kube.Get(k.resource, of.namespace, of.name)
	for _, r := range rows {
		before = b.kube.Patch(k.resource, of.namespace, of.name, types.JSONPatchType, k.fields[r.field].patch)
	}
	resource := b.resource(typeOf(name), c.cluster)
	state, said := resource.ImportWithWarnings(b.T, of.id)
	for _, r := range rows {
		if !strings.Contains(said, "WARNING") || !strings.Contains(withoutIndexes(said), r.field) {
			b.Errorf("the import does not name %s: %s", r.field, said)
		}
	}
	if plan, planned := resource.Plan(b.T, protocol.Value(resource.Kind, of.config), state); !planned.Equal(state.Value) {
		b.Fatalf("the plan after the import is not empty: %s: %s", protocol.Messages(plan.Diagnostics), planned)
	}

	changed := maps.Clone(of.config)
	maps.Copy(changed, with)
	plan, _ := resource.Plan(b.T, protocol.Value(resource.Kind, changed), state)
	isKept, isRefused := 0, 0
	for _, r := range rows {
		want := r.cells[c]
		warned, failed := named(plan, r.field)
		if warned != (want == warning) || failed != (want == refused) {
			b.Errorf("%s is not %s: %s", r.field, want, about(plan))
		}
		isKept += count(want == kept)
		isRefused += count(want == refused)
	}
	if failed := protocol.Failed(plan.Diagnostics); failed != (isRefused > 0) {
		b.Fatalf("it is refused: %t: %s", failed, about(plan))
	}
	if isKept == 0 {
		// What is allowed is a warning that names it.
		var all []any
		for _, r := range rows {
			all = append(all, r.field)
		}
		changed["allow_removal_of"] = all
		allowed, _ := resource.Plan(b.T, protocol.Value(resource.Kind, changed), state)
		for _, r := range rows {
			if warned, failed := named(allowed, r.field); !warned || failed || protocol.Failed(allowed.Diagnostics) {
				b.Errorf("if %s is allowed: %s", r.field, about(allowed))
			}
		}
		if !c.replace {
			b.removed(name, rows, of, changed, state)
		}
		return
	}
	if isKept < len(rows) {
		b.Fatal("some are kept and others not: a change of its own shows it")
	}
	b.applied(resource, protocol.Value(resource.Kind, changed), state, plan)
	after := b.kube.Get(k.resource, of.namespace, of.name)
	text, _ := json.Marshal(after.Object)
	for _, r := range rows {
		if !strings.Contains(string(text), k.fields[r.field].text) {
			b.Errorf("%s is gone: %s", r.field, text)
		}
	}
	if after.GetUID() != before.GetUID() || after.GetGeneration() == before.GetGeneration() {
		b.Errorf("not changed in place: %s", text)
	}
}

// removed applies a change that removes fields, in place or by a new object.
func (b *bench) removed(name string, rows []row, of made, config protocol.Object, state protocol.State) {
	b.Helper()
	k := kinds[name]
	resource := b.resource(typeOf(name), false)
	desired := protocol.Value(resource.Kind, config)
	plan, _ := resource.Plan(b.T, desired, state)
	if resource.Replaces(plan, state) {
		protocol.Check(b.T, nil, resource.Destroy(b.T, state).Diagnostics)
		resource.Create(b.T, desired)
	} else {
		b.applied(resource, desired, state, plan)
	}
	text, _ := json.Marshal(b.kube.Get(k.resource, of.namespace, of.name))
	for _, r := range rows {
		if strings.Contains(string(text), k.fields[r.field].text) {
			b.Errorf("%s is still there: %s", r.field, text)
		}
	}
}

// about are the messages of a plan about fields.
func about(plan *tfprotov6.PlanResourceChangeResponse) string {
	return protocol.Messages(slices.DeleteFunc(slices.Clone(plan.Diagnostics), func(d *tfprotov6.Diagnostic) bool {
		return d.Severity == tfprotov6.DiagnosticSeverityWarning && !strings.HasPrefix(d.Summary, "Fields of the ")
	}))
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// named reports whether a warning or an error of a plan names a field; an error says how to allow it.
func named(plan *tfprotov6.PlanResourceChangeResponse, field string) (warned, failed bool) {
	for _, d := range plan.Diagnostics {
		names := strings.Contains(withoutIndexes(d.Detail), field)
		warned = warned || names && d.Severity == tfprotov6.DiagnosticSeverityWarning && strings.HasPrefix(d.Summary, "Fields of the ")
		failed = failed || names && d.Severity == tfprotov6.DiagnosticSeverityError && strings.Contains(d.Detail, "allow_removal_of = [") && strings.Contains(d.Detail, fmt.Sprintf("%q", field))
	}
	return warned, failed
}

// applied applies a plan without a replacement, and expects an empty plan after it.
func (b *bench) applied(resource *protocol.Resource, config tftypes.Value, state protocol.State, plan *tfprotov6.PlanResourceChangeResponse) {
	b.Helper()
	if resource.Replaces(plan, state) {
		b.Fatalf("it is replaced")
	}
	response := resource.Change(b.T, config, state, plan)
	if protocol.Failed(response.Diagnostics) {
		b.Fatal(protocol.Messages(response.Diagnostics))
	}
	next := protocol.State{Value: protocol.Decode(resource.Kind, response.NewState), Private: response.Private}
	if again, planned := resource.Plan(b.T, config, next); !planned.Equal(next.Value) {
		b.Errorf("the next plan is not empty: %s: %s, not %s", protocol.Messages(again.Diagnostics), planned, next.Value)
	}
}

// withoutIndexes removes the indexes of lists.
func withoutIndexes(text string) string {
	for i := range 10 {
		text = strings.ReplaceAll(text, fmt.Sprintf("[%d]", i), "")
	}
	return text
}
