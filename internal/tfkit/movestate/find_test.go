package movestate_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/movestate"
)

// provided are the kinds that the provider's resources declare.
func provided(t *testing.T) []movestate.Kind {
	t.Helper()
	kinds := movestate.KindsOf(provider.New(provider.Build{})().Resources(t.Context()))
	if len(kinds) < 8 {
		t.Fatalf("%d kinds", len(kinds))
	}
	return kinds
}

// sourceTypes are the resource types that can be moved from.
var sourceTypes = []string{"restapi_object", "restful_resource", "terracurl_request", "kubernetes_manifest", "kubectl_manifest"}

// TestFindStored: every state in testdata is that of the serving "s" or the app
// image "app".
func TestFindStored(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil {
		t.Fatal(err)
	}
	kinds, seen := provided(t), map[string]bool{}
	for _, file := range files {
		state := []byte(testfile.Read(t, file))
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		resourceType, image := strings.CutSuffix(name, "_appimage")
		want := movestate.Object{Title: "serving", ID: "s"}
		if image {
			want = movestate.Object{Title: "app image", ID: "app"}
		}
		seen[resourceType] = true
		if got, err := movestate.Find(kinds, resourceType, state); err != nil || got != want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	for _, resourceType := range sourceTypes {
		if !seen[resourceType] {
			t.Errorf("no stored state of %s", resourceType)
		}
		for _, kind := range kinds {
			if slices.Contains([]string{"serving", "app image"}, kind.Title) && !strings.Contains(movestate.Sources(kind), resourceType) {
				t.Errorf("the list for a %s does not name %s", kind.Title, resourceType)
			}
		}
	}
}

func TestFindRefuses(t *testing.T) {
	const secret = "storage-key"
	for name, test := range map[string]struct{ resourceType, state, want string }{
		"null":                 {"restapi_object", `null`, "not a JSON object"},
		"no request":           {"restapi_object", `{"id": "s"}`, `"data" is not a request`},
		"request is no JSON":   {"restapi_object", `{"data": "storage-key"}`, `"data" is not a request`},
		"two objects":          {"restapi_object", `{"data": "{\"serving_id\": \"s\", \"relative_uri\": \"u\"}"}`, "does not create one object"},
		"another object":       {"restapi_object", `{"data": "{\"job_id\": \"storage-key\"}"}`, `serving ("serving_id")`},
		"id that is no text":   {"restapi_object", `{"data": "{\"serving_id\": 7}"}`, "does not create one object"},
		"manifest of others":   {"kubernetes_manifest", `{"manifest": {"value": {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "s"}}, "type": "dynamic"}}`, `"Deployment" of "apps/v1"`},
		"another kind":         {"kubectl_manifest", `{"api_version": "kuscia.secretflow/v1alpha1", "kind": "KusciaJob", "name": "s"}`, `"KusciaJob"`},
		"another namespace":    {"kubectl_manifest", `{"api_version": "kuscia.secretflow/v1alpha1", "kind": "KusciaDeployment", "name": "s", "namespace": "alice"}`, `namespace "alice"`},
		"no name":              {"kubectl_manifest", `{"api_version": "kuscia.secretflow/v1alpha1", "kind": "KusciaDeployment"}`, "no metadata.name"},
		"name from the server": {"kubernetes_manifest", `{"manifest": {"apiVersion": "kuscia.secretflow/v1alpha1", "kind": "KusciaDeployment", "metadata": {"generateName": "s-"}}}`, "no metadata.name"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := movestate.Find(provided(t), test.resourceType, []byte(test.state))
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), secret) {
				t.Errorf("%v", err)
			}
		})
	}
	if _, err := movestate.Find(nil, "terraform_data", []byte(`{}`)); !errors.Is(err, movestate.ErrUnsupported) {
		t.Errorf("%v", err)
	}
}

// TestFindCreated: create requests and manifests are read as the right object
// or refused with a reason.
func TestFindCreated(t *testing.T) {
	kinds := provided(t)
	for _, test := range []struct{ resourceType, state, want string }{
		{"restapi_object", `{"data": "{\"domain_id\": \"a\", \"role\": \"partner\"}"}`, "domain a"},
		{"restapi_object", `{"data": "{\"source\": \"a\", \"destination\": \"b-c\", \"authentication_type\": \"Token\"}"}`, "domain route a/b-c"},
		{"restapi_object", `{"data": "{\"data\": [{\"key\": \"k\", \"value\": \"v\"}]}"}`, "configuration entry k"},
		{"restapi_object", `{"data": "{\"data\": [{\"key\": \"k\"}, {\"key\": \"l\"}]}"}`, "does not create one object"},
		{"restapi_object", `{"data": "{\"domain_id\": \"a\", \"datasource_id\": \"s\", \"type\": \"oss\"}"}`, "data source a/s"},
		{"restapi_object", `{"data": "{\"domain_id\": \"a\", \"domaindata_id\": \"t\", \"relative_uri\": \"t\", \"datasource_id\": \"s\"}"}`, "domain data a/t"},
		{"restapi_object", `{"data": "{\"domain_id\": \"a\", \"relative_uri\": \"t\", \"datasource_id\": \"s\"}"}`, `no "domaindata_id"`},
		{"restapi_object", `{"data": "{\"domain_id\": \"a\", \"domaindatagrant_id\": \"g\", \"domaindata_id\": \"t\", \"grant_domain\": \"b\"}"}`, "grant a/g"},
		{"kubectl_manifest", `{"api_version": "kuscia.secretflow/v1alpha1", "kind": "Domain", "name": "a"}`, "domain a"},
		{"kubectl_manifest", `{"api_version": "kuscia.secretflow/v1alpha1", "kind": "DomainData", "namespace": "a", "name": "t"}`, "domain data a/t"},
		{"kubectl_manifest", `{"api_version": "kuscia.secretflow/v1alpha1", "kind": "DomainDataGrant", "name": "g"}`, "no metadata.namespace"},
		{"kubectl_manifest", `{"api_version": "kuscia.secretflow/v1alpha1", "kind": "ClusterDomainRoute", "name": "a-b-c"}`, "no source and destination"},
		{"kubernetes_manifest", `{"manifest": {"apiVersion": "kuscia.secretflow/v1alpha1", "kind": "ClusterDomainRoute", "metadata": {"name": "a-b-c"}, "spec": {"source": "a", "destination": "b-c"}}}`, "domain route a/b-c"},
	} {
		found, err := movestate.Find(kinds, test.resourceType, []byte(test.state))
		if got := found.Title + " " + found.ID; err == nil && got != test.want || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s is %s, %v; want %s", test.state, got, err, test.want)
		}
	}
}
