package faulttest_test

// grantKind is grants of one table to bob, with a variable flow.
var grantKind = objectKind{
	typeName: "kuscia_domain_data_grant", path: "domaindatagrant", plural: "grants",
	config: func(o objectSpec, _ configuration) attrs {
		return attrs{
			"domain_id": "alice", "domaindatagrant_id": o.name, "domaindata_id": "one", "grant_domain": "bob",
			"limit": attrs{"flow_id": objectText(o)}, "description": attrs{"of": o.name},
		}
	},
	stored:  func(b *testbed, o objectSpec) string { return b.server.GrantFlows("alice")[o.name] },
	desired: objectText,
	needs:   []objectSpec{{kind: dataKind, name: "one", n: 1}},
}

func init() { registerKind(grantKind) }
