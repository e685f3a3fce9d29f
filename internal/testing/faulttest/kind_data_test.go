package faulttest_test

import (
	"fmt"
)

// dataKind is domain data of alice, with a variable name.
var dataKind = objectKind{
	typeName: "kuscia_domain_data", path: "domaindata", plural: "data",
	config: func(o objectSpec, _ configuration) attrs {
		return attrs{"domain_id": "alice", "domaindata_id": o.name, "type": "table", "relative_uri": o.name + ".csv", "name": objectText(o)}
	},
	stored:  func(b *testbed, o objectSpec) string { return b.server.DomainDataNames("alice")[o.name] },
	desired: objectText,
}

func init() { registerKind(dataKind) }

// objectText is the variable part of an object.
func objectText(o objectSpec) string { return fmt.Sprint("text ", o.n) }
