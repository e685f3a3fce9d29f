// Package crds has the custom resource definitions that the API server in tests
// serves: those of Kuscia and of OpenKruise Rollouts that the provider uses,
// and replacements for the built-in kinds that an API server for custom
// resources does not have.
package crds

import (
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
)

// The groups in which the kinds of Kubernetes itself are stored. A custom
// resource cannot be of the group apps or of the one without a name; requests
// are translated on their way (package proxy).
const (
	Apps = "apps.kubetest"
	Core = "core.kubetest"
)

// Namespaces is the plural of namespaces. Under their own, the path of one is that of what
// is in it.
const Namespaces = "clusternamespaces"

// kind is what a definition is made from.
type kind struct {
	group, kind, plural string
	clusterScoped       bool
	versions            []version
	conversion          *apiextensions.CustomResourceConversion
	shortNames          []string
}

type version struct {
	name    string
	schema  schema
	status  bool
	notKept bool // another version is stored
}

// Conversion is the webhook that converts the two versions of a Rollout.
type Conversion struct {
	URL      string
	CABundle []byte
}

// All are the definitions to install, those of Kuscia of its version.
func All(of versions.Version, conversion Conversion) []*apiextensions.CustomResourceDefinition {
	var all []*apiextensions.CustomResourceDefinition
	for _, kinds := range [][]kind{kuscia(of), rollouts(conversion), kubernetes()} {
		for _, k := range kinds {
			all = append(all, k.definition())
		}
	}
	return all
}

func (k kind) definition() *apiextensions.CustomResourceDefinition {
	scope := apiextensions.NamespaceScoped
	if k.clusterScoped {
		scope = apiextensions.ClusterScoped
	}
	crd := &apiextensions.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: k.plural + "." + k.group},
		Spec: apiextensions.CustomResourceDefinitionSpec{
			Group:      k.group,
			Scope:      scope,
			Conversion: k.conversion,
			Names: apiextensions.CustomResourceDefinitionNames{
				Kind: k.kind, ListKind: k.kind + "List", Plural: k.plural, ShortNames: k.shortNames,
			},
		},
	}
	for _, v := range k.versions {
		one := apiextensions.CustomResourceDefinitionVersion{
			Name: v.name, Served: true, Storage: !v.notKept,
			Schema: &apiextensions.CustomResourceValidation{OpenAPIV3Schema: new(v.schema)},
		}
		if v.status {
			one.Subresources = &apiextensions.CustomResourceSubresources{Status: &apiextensions.CustomResourceSubresourceStatus{}}
		}
		crd.Spec.Versions = append(crd.Spec.Versions, one)
	}
	return crd
}

// root is the schema of a whole object.
func root(properties fields, required ...string) schema {
	properties["apiVersion"], properties["kind"], properties["metadata"] = text(), text(), schema{Type: "object"}
	return object(properties, required...)
}
