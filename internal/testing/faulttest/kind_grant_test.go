package faulttest_test

import (
	"context"
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
)

// grantKind is grants of one table to bob, with a variable flow.
var grantKind = objectKind{
	typeName: "kuscia_domain_data_grant", path: "domaindatagrant", plural: "grants",
	refersTo: []string{"kuscia_domain", "kuscia_domain_data"},
	config: func(o objectSpec, _ string) attrs {
		return attrs{
			"domain_id": "alice", "domaindatagrant_id": o.name, "domaindata_id": "one", "grant_domain": "bob",
			"limit": attrs{"flow_id": objectText(o)}, "description": attrs{"of": o.name},
		}
	},
	stored:  func(server *sandbox.Sandbox, o objectSpec) string { return server.GrantFlows("alice")[o.name] },
	desired: objectText,
	needs:   []objectSpec{{kind: dataKind, name: "one", n: 1}},

	generate: func(g generator, config generatedConfig, add func(generatedResource)) {
		grantees := append([]any{"bob", "carol", "nobody"}, config.domains()...)
		if data := config.names(dataKind.typeName); len(data) > 0 {
			g.some(5, add, func(i int) generatedResource { return g.grant(fmt.Sprint("grant-", i), pick(g, data...), grantees) })
		}
	},
	identity: []string{"domain_id", "domaindatagrant_id", "domaindata_id"},
	same: map[string][][]any{
		"signature": {{nil, ""}}, "limit.use_count": {{nil, 0}}, "limit.flow_id": {{nil, ""}}, "limit.initiator": {{nil, ""}}, "limit.input_config": {{nil, ""}},
		"limit.expiration_time": {{"2040-01-31T00:00:00Z", "2040-01-31T08:00:00+08:00", "2040-01-31T00:00:00.000Z"}},
	},
	moveRequest: requestWith("domain_id", "domaindatagrant_id", "grant_domain"),
	all:         func(server *sandbox.Sandbox) string { return fmt.Sprint(server.GrantFlows("alice")) },

	// A grant without its data cannot be changed.
	edit: func(ctx context.Context, api *kuscia.Client, value stateValue) error {
		return api.UpdateDomainDataGrant(ctx, &kuscia.DomainDataGrantRequest{
			DomainID: "alice", DomainDataGrantID: value("domaindatagrant_id"), DomainDataID: value("domaindata_id"), GrantDomain: value("grant_domain"),
			Limit: &kuscia.GrantLimit{UseCount: 99},
		})
	},
	remove: func(ctx context.Context, api *kuscia.Client, value stateValue) error {
		return api.DeleteDomainDataGrant(ctx, kuscia.DomainDataGrantKey{DomainID: "alice", DomainDataGrantID: value("domaindatagrant_id")})
	},
}

func init() { registerKind(grantKind) }

func (g generator) grant(name string, data string, grantees []any) generatedResource {
	config := attrs{
		"domain_id": "alice", "domaindatagrant_id": g.id("grant-" + name), "domaindata_id": reference{"kuscia_domain_data." + data, "domaindata_id"},
		"grant_domain": pick(g, grantees...), "description": g.textMap(), "signature": pick[any](g, nil, "", "c2lnbmVk"),
	}
	if g.chance(60) {
		config["limit"] = attrs{
			"expiration_time": pick[any](g, nil, "2040-01-31T00:00:00Z", "2040-01-31T08:00:00+08:00", "2001-01-01T00:00:00Z"), "use_count": pick[any](g, nil, 0, 7),
			"flow_id": pick[any](g, nil, "", g.text()), "components": pick[any](g, nil, []any{}, []any{"b", "a"}), "initiator": pick[any](g, nil, "", "alice"), "input_config": pick[any](g, nil, "", "{}"),
		}
	}
	return generatedResource{"kuscia_domain_data_grant", name, config}
}
