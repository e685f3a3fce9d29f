package datasource

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// configs generates configurations that are valid except for unknown values.
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

// ofOneKind returns the generated attributes with the block of one type only.
// Keys are in one of their forms, in plain form if something may be unknown; a
// password may be empty or omitted.
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

// property describes the data source "s" for property tests.
func property(t *testing.T) (*bench, crudtest.Property) {
	t.Helper()
	b := newBench(t)
	return b, crudtest.Property{Bare: b.Server, Fast: b.Fast(t), Generator: configs, Valid: true, Remove: func() {
		if err := b.Clients.Kuscia.DeleteDomainDataSource(t.Context(), key); err != nil {
			t.Error(err)
		}
	}}
}

// TestPropertySequence: any configuration can be applied over any prior state,
// its plan shows no write-only value, it reads back as planned, and the next
// plan is empty.
func TestPropertySequence(t *testing.T) {
	t.Parallel()
	b, p := property(t)
	p.Sequence(t, func(t *rapid.T, _ definition.Value, _ crudtest.State) {
		if imported := b.Imported(t, "alice/s"); imported.Value.IsNull() {
			t.Fatal("the import gives nothing")
		}
	})
}

// TestPropertyUnknown: plans with unknown values are consistent with the apply,
// and unknown values are not rejected.
func TestPropertyUnknown(t *testing.T) {
	t.Parallel()
	definitiontest.UnknownPlans{Generator: configs, Issues: source.Issues, Valid: true}.Check(t)
}

// TestShortcutsAgree: responses with and without shortcuts are the same.
func TestShortcutsAgree(t *testing.T) {
	t.Parallel()
	_, p := property(t)
	p.ShortcutsAgree(t, nil)
}

// TestShortcutsAreTaken: the shortcuts handle all requests of a plan without
// changes.
func TestShortcutsAreTaken(t *testing.T) {
	t.Parallel()
	newBench(t).Fast(t).CheckFastPath(t, config(bucket(nil)))
}
