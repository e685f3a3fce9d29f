package domain

import (
	"reflect"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/manifest"
)

const fieldProtocols = "interConnProtocols"

// customResource is a Domain. Before v0.12 an update replaces the whole object, and since then it
// keeps what the KusciaAPI does not carry, but for the protocols, which follow from another role.
var customResource = &manifest.CustomResource[object]{
	Kind: kube.Domains,
	Name: func(id []string) (namespace, name string) { return "", id[0] },
	Fields: manifest.Fields{
		{Path: "resourceQuota", Protects: true},
		{Path: fieldProtocols, Written: isOfPartner},
		{Path: "cert", Controller: true}, // or the configuration
	},
	Metadata: map[string]func(name string) bool{manifest.Labels: isOfOthers, manifest.Annotations: isOfOthers},
	Carried:  manifest.Carried{"role": nil, "master": nil, "authCenter": nil},
	Manifest: toManifest,
	Complete: func(spec manifest.Object) {
		switch partner := spec["role"] != nil; {
		case partner && spec[fieldProtocols] == nil:
			spec[fieldProtocols] = protocolsOfPartner
		case !partner && isOfPartner(spec[fieldProtocols]):
			delete(spec, fieldProtocols)
		}
	},
	UpdateKeeps: func(c manifest.Change[object], path string) bool {
		if c.Before == nil || path == fieldProtocols && c.Desired.Role != c.Before.Role {
			return false
		}
		version := c.Version()
		return version.Has(versions.DomainUpdateKeeps) && (version.Known() || !c.CanKeep)
	},
}

// protocolsOfPartner are the protocols that Kuscia gives to the domain of a partner.
var protocolsOfPartner = []any{"kuscia"}

func isOfPartner(value any) bool { return reflect.DeepEqual(value, protocolsOfPartner) }

// isOfOthers reports whether a label or an annotation is not Kuscia's own, which its controllers set
// again.
func isOfOthers(name string) bool { return !strings.HasPrefix(name, "kuscia.secretflow/") }

// toManifest returns the specification that the KusciaAPI writes for a domain. It keeps a certificate
// that it does not get.
func toManifest(d *object) manifest.Object {
	spec := manifest.NotEmpty(manifest.Object{"role": d.Role, "cert": encodedCert(d.Cert), "master": d.MasterDomainID})
	if auth := d.AuthCenter; auth != nil {
		spec["authCenter"] = manifest.Object{"authenticationType": auth.AuthenticationType, "tokenGenMethod": auth.TokenGenMethod}
	}
	return spec
}
