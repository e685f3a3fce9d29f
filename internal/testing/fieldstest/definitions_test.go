package fieldstest_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

// definitions are the names of the definitions of the custom resources.
var definitions = map[string]string{
	"kuscia_domain_route": "clusterdomainroutes.kuscia.secretflow", "kuscia_app_image": "appimages.kuscia.secretflow",
	"kuscia_domain_data_grant": "domaindatagrants.kuscia.secretflow", "kuscia_domain_data": "domaindatas.kuscia.secretflow",
	"kuscia_domain": "domains.kuscia.secretflow", "kuscia_domain_data_source": "domaindatasources.kuscia.secretflow",
	"kuscia_serving": "kusciadeployments.kuscia.secretflow", "kuscia_deployment": "kusciadeployments.kuscia.secretflow",
	"kuscia_rollout": "rollouts.rollouts.kruise.io", "kuscia_traffic_routing": "trafficroutings.rollouts.kruise.io",
}

var kubeDefinitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}

// ofParty are the fields of a party that Kuscia's controller ignores: of its template it takes
// replicas, strategy, affinity and the resources of containers.
var ofParty = []string{
	"restartPolicy", "containers.command", "containers.args", "containers.imagePullPolicy", "containers.env", "containers.envFrom",
	"containers.configVolumeMounts", "containers.metricProbe", "containers.livenessProbe", "containers.readinessProbe", "containers.startupProbe",
	"containers.securityContext", "containers.ports",
}

// otherKnown are the fields of the resources without a row for each field.
func otherKnown() map[string][]string {
	return map[string][]string{
		"kuscia_domain_data_source": {"uri", "name", "data", "type", "infoKey", "accessDirectly"},
		"kuscia_rollout":            jsonPaths(reflect.TypeFor[kruise.RolloutSpec](), ""),
		"kuscia_traffic_routing":    jsonPaths(reflect.TypeFor[kruise.TrafficRoutingSpec](), ""),
	}
}

// TestFieldsOfDefinitions: the KusciaAPI carries a field of a custom resource, or it has a row.
func TestFieldsOfDefinitions(t *testing.T) {
	t.Parallel()
	known := provider.KnownFields(t.Context())
	maps.DeleteFunc(known, func(_ string, paths []string) bool { return len(paths) == 0 })
	others := otherKnown()
	maps.Copy(known, others)
	for _, typeName := range []string{"kuscia_serving", "kuscia_deployment"} {
		for _, name := range ofParty {
			known[typeName] = append(known[typeName], "parties.template.spec."+name)
		}
	}
	for typeName, paths := range known {
		defined := definedFields(t, acctest.NewKube(t), definitions[typeName])
		for _, path := range defined {
			if !slices.ContainsFunc(paths, func(within string) bool { return below(path, within) || below(within, path) }) {
				t.Errorf("%s: nothing is known of %s", typeName, path)
			}
		}
		if _, is := others[typeName]; is {
			continue // types that have more, for other definitions
		}
		for _, path := range paths {
			if !slices.ContainsFunc(defined, func(field string) bool { return below(field, path) || below(path, field) }) {
				t.Errorf("%s: %s has no %s", typeName, definitions[typeName], path)
			}
		}
	}
	if len(known) != len(definitions) {
		t.Errorf("fields are known of %v", slices.Sorted(maps.Keys(known)))
	}
}

// TestAllResources: each resource is in one of the tables.
func TestAllResources(t *testing.T) {
	t.Parallel()
	_, text, _ := strings.Cut(testfile.Read(t, readme), heading)
	text, _, _ = strings.Cut(text, "\n#")
	for typeName := range provider.Effects(t.Context()) {
		_, has := kinds[typeName]
		if count := strings.Count(text, "\n| `"+typeName+"` |"); count != 1 {
			t.Errorf("%s: %d rows begin with it", typeName, count)
		}
		if lost := !strings.Contains(text, "\n| `"+typeName+"` | `"); lost == has {
			t.Errorf("%s: it has fields in the table: %t", typeName, !lost)
		}
	}
}

func below(path, within string) bool { return path == within || strings.HasPrefix(path, within+".") }

// definedFields are the paths of the fields of a specification, without those that have fields.
func definedFields(t *testing.T, kube *acctest.Kube, name string) (paths []string) {
	t.Helper()
	definition := kube.Get(kubeDefinitions, "", name)
	versions, _, _ := unstructured.NestedSlice(definition.Object, "spec", "versions")
	for _, version := range versions {
		version, _ := version.(object)
		if version["storage"] == true {
			spec, _, _ := unstructured.NestedMap(version, "schema", "openAPIV3Schema", "properties", "spec")
			paths = schemaPaths(spec, "")
		}
	}
	if len(paths) == 0 {
		t.Fatalf("%s has no fields", name)
	}
	return paths
}

func schemaPaths(of object, within string) (paths []string) {
	if items, is := of["items"].(object); is {
		return schemaPaths(items, within)
	}
	if of["x-kubernetes-preserve-unknown-fields"] == true {
		return nil
	}
	properties, _ := of["properties"].(object)
	for name, property := range properties {
		property, _ := property.(object)
		if inner := schemaPaths(property, within+name+"."); len(inner) > 0 {
			paths = append(paths, inner...)
		} else {
			paths = append(paths, within+name)
		}
	}
	return paths
}

// jsonPaths are the paths of the fields that a type has in JSON.
func jsonPaths(of reflect.Type, within string) (paths []string) {
	switch of.Kind() {
	case reflect.Pointer, reflect.Slice:
		return jsonPaths(of.Elem(), within)
	case reflect.Struct:
	default:
		return nil
	}
	for field := range of.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" {
			continue
		}
		if inner := jsonPaths(field.Type, within+name+"."); len(inner) > 0 {
			paths = append(paths, inner...)
		} else {
			paths = append(paths, within+name)
		}
	}
	return paths
}
