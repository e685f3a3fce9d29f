package faulttest_test

import (
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
)

// dataKind is domain data of alice, with a variable name.
var dataKind = objectKind{
	typeName: "kuscia_domain_data", path: "domaindata", plural: "data",
	config: func(o objectSpec, _ string) attrs {
		return attrs{"domain_id": "alice", "domaindata_id": o.name, "type": "table", "relative_uri": o.name + ".csv", "name": objectText(o)}
	},
	held:    func(server *sandbox.Sandbox, o objectSpec) string { return server.DomainDataNames("alice")[o.name] },
	desired: objectText,
}

// sourceKind is data sources of alice, with a variable name and key. Only the
// node of alice returns and changes them.
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

// grantKind is grants of one table to bob, with a variable flow.
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

// objectText is the variable part of an object.
func objectText(o objectSpec) string { return fmt.Sprint("text ", o.n) }
