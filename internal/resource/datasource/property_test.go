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
		"localfs": folder("/a"), "oss": bucket(), "odps": odps(), "mysql": database("mysql"), "hive": database("hive"), "key": behindKey("db"),
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
			if _, has := block[name].(tree)[secret]; !has {
				continue
			}
			drawn[secret+"_wo"], drawn[secret+"_wo_version"] = nil, nil
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

// TestProperties: any configuration can be applied over any prior state and imported, its
// plan shows no write-only value, and shortcuts respond as the framework does.
func TestProperties(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	crudtest.Property{
		Bare: b.Server, Fast: b.Fast(t), Generator: configs, Valid: true, Issues: source.Issues, Full: config(bucket()),
		Remove: func() {
			if err := b.Run.Kuscia.DeleteDomainDataSource(t.Context(), key); err != nil {
				t.Error(err)
			}
		},
		Each: func(t *rapid.T, _ definition.Value, _ crudtest.State) {
			if imported := b.Imported(t, "alice/s"); imported.Value.IsNull() {
				t.Fatal("the import gives nothing")
			}
		},
	}.Check(t)
}
