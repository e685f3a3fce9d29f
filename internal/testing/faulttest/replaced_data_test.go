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
	federation := func(data attrs) generatedConfig {
		generated := generatedConfig{}
		config := attrs{"domain_id": "alice", "domaindata_id": "table", "type": "table", "relative_uri": "table.csv"}
		for name, value := range data {
			config[name] = value
		}
		for _, one := range []generatedResource{
			{"kuscia_domain_data", "table", config},
			{"kuscia_domain_data_grant", "bob", attrs{
				"domain_id": "alice", "domaindatagrant_id": "to-bob", "grant_domain": "bob",
				"domaindata_id": reference{"kuscia_domain_data.table", "domaindata_id"},
			}},
		} {
			generated[one.address()] = one
		}
		return generated
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
		config := federation(step.data)
		o, _ := b.terraform.plan(config.resources()...)
		if !o.ok() || o.changes() != step.want {
			t.Errorf("%s: the plan is to %s, want %s: %s", step.name, o.changes(), step.want, o.text())
		}
		if _, unknown := step.data["columns"].(protocol.Unknown); !unknown && !b.checkApply(t, config, nil) {
			return
		}
	}
}
