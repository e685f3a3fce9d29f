package faulttest_test

import (
	"context"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

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

	edit: func(ctx context.Context, api *kuscia.Client, o objectSpec) error {
		return api.UpdateDomainDataGrant(ctx, &kuscia.DomainDataGrantRequest{
			DomainID: "alice", DomainDataGrantID: o.name, DomainDataID: "one", GrantDomain: "bob", Limit: &kuscia.GrantLimit{UseCount: 99},
		})
	},
	remove: func(ctx context.Context, api *kuscia.Client, o objectSpec) error {
		return api.DeleteDomainDataGrant(ctx, kuscia.DomainDataGrantKey{DomainID: "alice", DomainDataGrantID: o.name})
	},
}

func init() { registerKind(grantKind) }
