package faulttest_test

import (
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestReplacedDataTakeGrants: Kuscia deletes the grants together with their
// data. When data is replaced, the plan also replaces grants that refer to it,
// even if it is unknown whether the data has to be replaced.
func TestReplacedDataTakeGrants(t *testing.T) {
	t.Parallel()
	b := newTestbed(t, sandbox.Options{Autonomy: "alice"})
	federation := func(data attrs) []resource {
		const table = "kuscia_domain_data.table"
		return []resource{
			{address: table, typeName: dataKind.typeName, config: func(func(string, string) any) attrs {
				return with(attrs{"domain_id": "alice", "domaindata_id": "table", "type": "table", "relative_uri": "table.csv"}, data)
			}},
			{address: "kuscia_domain_data_grant.bob", typeName: grantKind.typeName, after: []string{table}, config: func(value func(string, string) any) attrs {
				return attrs{"domain_id": "alice", "domaindatagrant_id": "to-bob", "grant_domain": "bob", "domaindata_id": value(table, "domaindata_id")}
			}},
		}
	}
	const both = "replace kuscia_domain_data.table, replace kuscia_domain_data_grant.bob"
	for _, step := range []struct {
		name, want string
		data       attrs
	}{
		{"create", "create kuscia_domain_data.table, create kuscia_domain_data_grant.bob", attrs{"file_format": "CSV"}},
		{"in place", "update kuscia_domain_data.table", attrs{"file_format": "BINARY"}},
		{"taken away", both, nil},
		{"columns", "update kuscia_domain_data.table", attrs{"columns": []any{attrs{"name": "a", "type": "str"}}}},
		{"columns that are not known", both, attrs{"columns": protocol.Unknown{}}},
		{"no columns", both, attrs{"columns": []any{}}},
	} {
		resources := federation(step.data)
		o, _ := b.terraform.plan(resources...)
		if !o.ok() || o.changes() != step.want {
			t.Errorf("%s: the plan is to %s, want %s: %s", step.name, o.changes(), step.want, o.text())
		}
		if _, unknown := step.data["columns"].(protocol.Unknown); !unknown {
			b.terraform.checkConverges(t, resources, func() []string { return nil })
		}
	}
}
