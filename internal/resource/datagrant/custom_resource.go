package datagrant

import (
	"cmp"
	"reflect"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/manifest"
)

// customResource is a DomainDataGrant. An update through the KusciaAPI replaces limit, signature and
// description, and sets the mode of a limit.
var customResource = &manifest.CustomResource[grant]{
	Kind: kube.DomainDataGrants,
	Name: func(id []string) (namespace, name string) { return id[0], id[1] },
	Fields: manifest.Fields{
		{Path: "limit.initiator", Protects: true},
		{Path: "limit.grantMode", Protects: true, Written: func(value any) bool { return reflect.DeepEqual(value, writtenMode) }},
		{Path: "signature", Protects: true},
		{Path: "description"},
	},
	Carried: manifest.Carried{
		"author": nil, "domainDataID": nil, "grantDomain": nil,
		"limit": {manifest.Whole: nil, "expirationTime": nil, "useCount": nil, "flowID": nil, "components": nil, "inputConfig": nil},
	},
	Manifest: toManifest,
	Complete: func(spec manifest.Object) {
		if limit, ok := spec["limit"].(manifest.Object); ok && limit["grantMode"] == nil {
			limit["grantMode"] = writtenMode
		}
	},
}

// writtenMode is the mode that the KusciaAPI writes into every limit.
var writtenMode = []any{"normal"}

// toManifest returns the specification that the KusciaAPI writes for a grant, without its mode. Only one that was read has an author.
func toManifest(g *grant) manifest.Object {
	spec := manifest.NotEmpty(manifest.Object{
		"author": cmp.Or(g.Data.Author, g.Data.DomainID), "domainDataID": g.Data.DomainDataID, "grantDomain": g.Data.GrantDomain,
		"signature": g.Data.Signature, "description": manifest.Texts(g.Data.Description),
	})
	if limit := g.Data.Limit; limit != nil {
		stored := manifest.NotEmpty(manifest.Object{
			"useCount": int64(limit.UseCount), "flowID": limit.FlowID, "components": manifest.List(limit.Components),
			"initiator": limit.Initiator, "inputConfig": limit.InputConfig,
		})
		if end, ok := formatTime(int64(limit.ExpirationTime)).(string); ok {
			stored["expirationTime"] = end
		}
		spec["limit"] = stored
	}
	return spec
}
