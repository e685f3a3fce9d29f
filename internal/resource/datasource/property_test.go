package datasource

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// draw draws a configuration that is valid but for unknown values.
func draw(t *rapid.T, label string, unknowns bool) tree {
	out := definitiontest.Generator{
		Definition: source.Definition, Fixed: tree{"domain_id": "alice", "datasource_id": "s", "info_key": nil}, Unknowns: unknowns,
		Texts: map[string][]string{
			"path": {"/a", "/a/", "b"}, "bucket": {"a", "/a/", "b"}, "prefix": {"", "/", "a", "/a"}, "access_key_id": {"i", "j"}, "access_key_secret": {"s"},
			"endpoint": {"http://a", "https://b"}, "project": {"p"}, "type": {"mysql"},
		},
	}.Configurations().Draw(t, label).Tree
	kind := rapid.SampledFrom([]string{"localfs", "oss", "odps", "mysql", "hive", "key"}).Draw(t, label+" kind")
	block := map[string]tree{
		"localfs": folder("/a"), "oss": bucket(nil), "odps": odps(nil), "mysql": database("mysql", nil), "hive": database("hive", nil), "key": behindKey("db"),
	}[kind]
	for _, name := range []string{"localfs", "oss", "odps", "database"} {
		if block[name] == nil {
			out[name] = nil
			continue
		}
		drawn, ok := out[name].(tree)
		if !ok {
			drawn = block[name].(tree)
		}
		for _, secret := range []string{"access_key_id", "access_key_secret", "password"} {
			drawn[secret+"_wo"], drawn[secret+"_wo_version"] = nil, nil
			if _, has := block[name].(tree)[secret]; !has {
				continue
			}
			if rapid.Bool().Draw(t, label+" hidden") && !unknowns {
				drawn[secret], drawn[secret+"_wo"], drawn[secret+"_wo_version"] = nil, "w", rapid.IntRange(1, 2).Draw(t, label+" version")
			} else if text, _ := drawn[secret].(string); text == "" {
				drawn[secret] = "s"
			}
		}
		out[name] = drawn
	}
	out["type"], out["info_key"] = block["type"], block["info_key"]
	return out
}

// TestPropertySequence: whatever the configuration, and whatever it was before:
// it is applied, reads back as planned, and the next plan is empty.
func TestPropertySequence(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	rapid.Check(t, func(t *rapid.T) {
		if err := b.c.API.DeleteDomainDataSource(t.Context(), key); err != nil {
			t.Fatal(err)
		}
		state := b.None()
		for i := range 3 {
			desired := source.Definition.Encode(draw(t, fmt.Sprint("config ", i), false))
			_, planned := b.Plan(t, desired, state)
			if strings.Contains(planned.String(), `String<"w">`) {
				t.Fatal("a hidden text is in the plan")
			}
			state, _ = b.Settled(t, desired, state)
		}
		imported, said := b.Import(t, "alice/s")
		if said != "" || imported.Value.IsNull() {
			t.Fatal(said)
		}
	})
}

// TestShortcutsAgree: with and without the shortcuts the answers are the same.
func TestShortcutsAgree(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	fast := crudtest.NewFastServer(t, source, b.c)
	rapid.Check(t, func(t *rapid.T) {
		if err := b.c.API.DeleteDomainDataSource(t.Context(), key); err != nil {
			t.Fatal(err)
		}
		desired := source.Definition.Encode(draw(t, "config", false))
		state, said := b.Apply(t, desired, b.None())
		if strings.Contains(said, "ERROR") {
			t.Fatal(said)
		}
		crudtest.Agree(t, b.Server, fast, desired, state)
		crudtest.Agree(t, b.Server, fast, source.Definition.Encode(draw(t, "other", rapid.Bool().Draw(t, "unknowns"))), state)
	})
}

// TestShortcutsAreTaken: what comes with every plan that changes nothing is
// answered by the shortcuts.
func TestShortcutsAreTaken(t *testing.T) {
	t.Parallel()
	crudtest.NewFastServer(t, source, newBench(t).c).TakesShortcuts(t, config(bucket(nil)))
}

// TestPropertyUnknown: with any part unknown a plan shows as known only what
// the apply then does, and nothing is refused for being unknown.
func TestPropertyUnknown(t *testing.T) {
	t.Parallel()
	d := source.Definition
	rapid.Check(t, func(t *rapid.T) {
		prior := d.Null()
		if rapid.Bool().Draw(t, "update") {
			prior = d.Filled(d.Plan(d.Encode(draw(t, "prior", false)), d.Null(), definition.PlanOptions{}).Planned, d.Null())
		}
		drawn := draw(t, "config", true)
		open := d.Encode(drawn)
		early := d.Plan(open, prior, definition.PlanOptions{}).Planned
		known := d.Encode(definitiontest.Generator{Definition: d}.Resolve(t, drawn).Tree)
		late := d.Plan(known, prior, definition.PlanOptions{}).Planned
		if at, ok := definitiontest.Conforms(early, late, "data source"); !ok {
			t.Fatalf("planned something else than was done: %s", at)
		}
		for _, issue := range source.Issues(open) {
			t.Fatalf("%s: %s", issue.At, issue.Detail)
		}
	})
}
