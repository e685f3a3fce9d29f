package domain

import (
	"reflect"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/manifest"
)

const fieldProtocols = "interConnProtocols"

// customResource is a Domain. An update keeps what the KusciaAPI does not carry, but for the
// protocols, which follow from another role.
var customResource = &manifest.CustomResource[object]{
	Kind: kube.Domains,
	Name: func(id []string) (namespace, name string) { return "", id[0] },
	Fields: manifest.Fields{
		{Path: "resourceQuota", Protects: true},
		{Path: fieldProtocols, Written: func(value any) bool { return reflect.DeepEqual(value, []any{"kuscia"}) }},
	},
	Carried: manifest.Carried{"role": nil, "cert": nil, "master": nil, "authCenter": nil},
	UpdateKeeps: func(desired, before *object, path string) bool {
		return path != fieldProtocols || before != nil && desired.Role == before.Role
	},
}
