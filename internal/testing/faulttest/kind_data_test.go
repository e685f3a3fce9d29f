package faulttest_test

import (
	"context"
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// dataKind is domain data of alice, with a variable name.
var dataKind = objectKind{
	typeName: "kuscia_domain_data", path: "domaindata", plural: "data",
	config: func(o objectSpec, _ configuration) attrs {
		return attrs{"domain_id": "alice", "domaindata_id": o.name, "type": "table", "relative_uri": o.name + ".csv", "name": objectText(o)}
	},
	stored:  func(b *testbed, o objectSpec) string { return b.server.DomainDataNames("alice")[o.name] },
	desired: objectText,

	edit: func(ctx context.Context, api *kuscia.Client, o objectSpec) error {
		return api.UpdateDomainData(ctx, &kuscia.DomainDataRequest{DomainID: "alice", DomainDataID: o.name, Name: "drift", FileFormat: "CSV"})
	},
	remove: func(ctx context.Context, api *kuscia.Client, o objectSpec) error {
		return api.DeleteDomainData(ctx, kuscia.DomainDataKey{DomainID: "alice", DomainDataID: o.name})
	},
}

func init() { registerKind(dataKind) }

// objectText is the variable part of an object.
func objectText(o objectSpec) string { return fmt.Sprint("text ", o.n) }
