package faulttest_test

import (
	"fmt"
)

// dataSourceKind is data sources of alice, with a variable name and key. Only
// the node of alice returns and changes them.
var dataSourceKind = objectKind{
	typeName: "kuscia_domain_data_source", path: "domaindatasource", plural: "sources", node: "alice",
	config: func(o objectSpec, _ configuration) attrs {
		return attrs{
			"domain_id": "alice", "datasource_id": o.name, "type": "oss", "name": objectText(o),
			"oss": attrs{"endpoint": "oss.example", "bucket": "b", "access_key_id": "id", "access_key_secret": fmt.Sprint(plantedKey, o.n)},
		}
	},
	stored:  func(b *testbed, o objectSpec) string { return b.server.DataSourceNames("alice")[o.name] },
	desired: objectText,
}

func init() { registerKind(dataSourceKind) }
