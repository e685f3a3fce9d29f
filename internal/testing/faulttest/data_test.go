package faulttest_test

import (
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
)

// dataKind are domain data of alice, of which the name changes.
var dataKind = objectKind{
	typeName: "kuscia_domain_data", path: "domaindata", plural: "data",
	config: func(o objectSpec, _ string) attrs {
		return attrs{"domain_id": "alice", "domaindata_id": o.name, "type": "table", "relative_uri": o.name + ".csv", "name": objectText(o)}
	},
	held:    func(server *sandbox.Sandbox, o objectSpec) string { return server.DomainDataNames("alice")[o.name] },
	desired: objectText,
}

// sourceKind are data sources of alice, of which the name and the key change.
// Only the node of alice tells and changes them.
var sourceKind = objectKind{
	typeName: "kuscia_domain_data_source", path: "domaindatasource", plural: "sources", node: "alice",
	config: func(o objectSpec, _ string) attrs {
		return attrs{
			"domain_id": "alice", "datasource_id": o.name, "type": "oss", "name": objectText(o),
			"oss": attrs{"endpoint": "oss.example", "bucket": "b", "access_key_id": "id", "access_key_secret": fmt.Sprint(plantedKey, o.n)},
		}
	},
	held:    func(server *sandbox.Sandbox, o objectSpec) string { return server.DataSourceNames("alice")[o.name] },
	desired: objectText,
}

// grantKind are grants of one table to bob, of which the flow changes.
var grantKind = objectKind{
	typeName: "kuscia_domain_data_grant", path: "domaindatagrant", plural: "grants",
	config: func(o objectSpec, _ string) attrs {
		return attrs{
			"domain_id": "alice", "domaindatagrant_id": o.name, "domaindata_id": "one", "grant_domain": "bob",
			"limit": attrs{"flow_id": objectText(o)}, "description": attrs{"of": o.name},
		}
	},
	held:    func(server *sandbox.Sandbox, o objectSpec) string { return server.GrantFlows("alice")[o.name] },
	desired: objectText,
	needs:   []objectSpec{{kind: dataKind, name: "one", n: 1}},
}

// objectText is what changes of an object.
func objectText(o objectSpec) string { return fmt.Sprint("text ", o.n) }
