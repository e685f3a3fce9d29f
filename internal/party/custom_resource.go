package party

import (
	"reflect"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/manifest"
)

// FieldAffinity and FieldResources are what other clients can set for a party, and Kuscia applies.
// What else it takes for a party, such as the command of a container, it ignores.
const (
	FieldAffinity  = "parties.template.spec.affinity"
	FieldResources = "parties.template.spec.containers.resources"
)

// CustomResource is a KusciaDeployment of which a resource carries these resources of containers. An
// update keeps what it does not carry. resources are as those of a manifest.Carried: nil are all.
func CustomResource[W any](fields []string, resources manifest.Carried) *manifest.CustomResource[W] {
	r := &manifest.CustomResource[W]{
		Kind: kube.KusciaDeployments,
		Name: func(id []string) (namespace, name string) { return kube.CrossDomain, id[0] },
		Carried: manifest.Carried{"initiator": nil, "inputConfig": nil, "parties": {
			"domainID": nil, "appImageRef": nil, "role": nil, "serviceNamePrefix": nil,
			"template": {"replicas": nil, "strategy": nil, "spec": {"containers": {"name": nil, "workingDir": nil, "resources": resources}}},
		}},
		UpdateKeeps: func(manifest.Change[W], string) bool { return true },
	}
	for _, path := range fields {
		field := manifest.Field{Path: path}
		if path == FieldAffinity {
			field.Written = isOfMode
		}
		r.Fields = append(r.Fields, field)
	}
	return r
}

const preferred = "preferredDuringSchedulingIgnoredDuringExecution"

// PodsOf are the pods of a KusciaDeployment, which the KusciaAPI stores for affinity_mode "affinity"
// as those near which others prefer to run.
func PodsOf(name string) manifest.Object {
	return manifest.Object{
		preferred: []any{manifest.Object{
			"weight": int64(100),
			"podAffinityTerm": manifest.Object{
				"labelSelector": manifest.Object{"matchLabels": manifest.Object{kube.LabelKDName: name}},
				"topologyKey":   "kubernetes.io/hostname",
			},
		}},
	}
}

// isOfMode reports whether an affinity is that of an affinity_mode.
func isOfMode(value any) bool {
	affinity, _ := value.(manifest.Object)
	for _, kind := range []string{"podAffinity", "podAntiAffinity"} {
		terms, _, _ := unstructured.NestedSlice(affinity, kind, preferred)
		if len(terms) != 1 {
			continue
		}
		term, _ := terms[0].(manifest.Object)
		name, _, _ := unstructured.NestedString(term, "podAffinityTerm", "labelSelector", "matchLabels", kube.LabelKDName)
		if reflect.DeepEqual(affinity, manifest.Object{kind: PodsOf(name)}) {
			return true
		}
	}
	return false
}
