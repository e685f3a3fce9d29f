package datasource

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// configs draws configurations that are valid but for unknown values.
func configs(unknowns bool) definitiontest.Generator {
	return definitiontest.Generator{
		Definition: source.Definition, Fixed: tree{"domain_id": "alice", "datasource_id": "s", "info_key": nil}, Unknowns: unknowns,
		Texts: map[string][]string{
			"path": {"/a", "/a/", "b"}, "bucket": {"a", "/a/", "b"}, "prefix": {"", "/", "a", "/a"}, "access_key_id": {"i", "j"}, "access_key_secret": {"s"},
			"endpoint": {"http://a", "https://b"}, "project": {"p"}, "type": {"mysql"},
		},
		Change: func(t *rapid.T, out tree) tree { return ofOneKind(t, out, unknowns) },
	}
}

// ofOneKind is what was drawn with a type and the block of it alone. Keys are in
// one of their forms, in clear where something may be unknown; a password may be
// empty, or in neither.
func ofOneKind(t *rapid.T, out tree, unknowns bool) tree {
	kind := rapid.SampledFrom([]string{"localfs", "oss", "odps", "mysql", "hive", "key"}).Draw(t, "kind")
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
			if rapid.Bool().Draw(t, "hidden") && !unknowns {
				drawn[secret], drawn[secret+"_wo"], drawn[secret+"_wo_version"] = nil, "w", rapid.IntRange(1, 2).Draw(t, "version")
			} else if text, _ := drawn[secret].(string); text == "" && secret != "password" {
				drawn[secret] = "s"
			}
		}
		out[name] = drawn
	}
	out["type"], out["info_key"] = block["type"], block["info_key"]
	if kind != "key" && rapid.Bool().Draw(t, "empty key") {
		out["info_key"] = ""
	}
	return out
}

// property is the data source "s" with what its properties are checked with.
func property(t *testing.T) (*bench, crudtest.Property) {
	t.Helper()
	b := newBench(t)
	return b, crudtest.Property{Bare: b.Server, Fast: b.Fast(t), Generator: configs, Valid: true, Remove: func() {
		if err := b.Clients.API.DeleteDomainDataSource(t.Context(), key); err != nil {
			t.Error(err)
		}
	}}
}

// TestPropertySequence: whatever the configuration, and whatever it was before:
// it is applied, without a hidden text in the plan, reads back as planned, and
// the next plan is empty.
func TestPropertySequence(t *testing.T) {
	t.Parallel()
	b, p := property(t)
	p.Sequence(t, func(t *rapid.T, _ definition.Value, _ crudtest.State) {
		if imported := b.Imported(t, "alice/s"); imported.Value.IsNull() {
			t.Fatal("the import gives nothing")
		}
	})
}

// TestPropertyUnknown: a plan with unknown values holds, and nothing is refused
// for being unknown.
func TestPropertyUnknown(t *testing.T) {
	t.Parallel()
	definitiontest.UnknownPlans{Generator: configs, Issues: source.Issues, Valid: true}.Check(t)
}

// TestShortcutsAgree: with and without the shortcuts the answers are the same.
func TestShortcutsAgree(t *testing.T) {
	t.Parallel()
	_, p := property(t)
	p.ShortcutsAgree(t, nil)
}

// TestShortcutsAreTaken: what comes with every plan that changes nothing is
// answered by the shortcuts.
func TestShortcutsAreTaken(t *testing.T) {
	t.Parallel()
	newBench(t).Fast(t).CheckFastPath(t, config(bucket(nil)))
}
