package movestate

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestFindStored: every state in testdata is that of the serving "s" or the app
// image "app".
func TestFindStored(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, file := range files {
		state, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		resourceType, image := strings.CutSuffix(name, "_appimage")
		want := Object{Serving, "s"}
		if image {
			want = Object{AppImage, "app"}
		}
		seen[resourceType] = true
		if got, err := Find(resourceType, state); err != nil || got != want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	for resourceType := range readers {
		if !seen[resourceType] {
			t.Errorf("no stored state of %s", resourceType)
		}
		for _, kind := range []Kind{Serving, AppImage} {
			if !strings.Contains(Sources(kind), resourceType) {
				t.Errorf("the list for a %s does not name %s", kind, resourceType)
			}
		}
	}
}

func TestFindRefuses(t *testing.T) {
	const secret = "storage-key"
	for name, test := range map[string]struct{ resourceType, state, want string }{
		"no JSON":              {"restapi_object", `storage-key`, "not a JSON object"},
		"null":                 {"restapi_object", `null`, "not a JSON object"},
		"no request":           {"restapi_object", `{"id": "s"}`, `"data" is not a request`},
		"request is no JSON":   {"restapi_object", `{"data": "storage-key"}`, `"data" is not a request`},
		"request is a list":    {"terracurl_request", `{"request_body": "[]"}`, `"request_body" is not a request`},
		"null request":         {"restful_resource", `{"body": {"value": null, "type": "dynamic"}}`, `"body" is not a request`},
		"another object":       {"restapi_object", `{"data": "{\"job_id\": \"storage-key\"}"}`, "neither a serving"},
		"empty id":             {"restapi_object", `{"data": "{\"serving_id\": \"\"}"}`, "neither a serving"},
		"id that is no text":   {"restapi_object", `{"data": "{\"serving_id\": 7}"}`, "neither a serving"},
		"name of a domain":     {"restapi_object", `{"data": "{\"name\": \"x\"}"}`, "neither a serving"},
		"manifest missing":     {"kubernetes_manifest", `{"object": {}}`, `"manifest" is not an object`},
		"manifest of others":   {"kubernetes_manifest", `{"manifest": {"value": {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "s"}}, "type": "dynamic"}}`, `"Deployment" of "apps/v1"`},
		"another kind":         {"kubectl_manifest", `{"api_version": "kuscia.secretflow/v1alpha1", "kind": "KusciaJob", "name": "s"}`, `"KusciaJob"`},
		"another namespace":    {"kubectl_manifest", `{"api_version": "kuscia.secretflow/v1alpha1", "kind": "KusciaDeployment", "name": "s", "namespace": "alice"}`, `namespace "alice"`},
		"no name":              {"kubectl_manifest", `{"api_version": "kuscia.secretflow/v1alpha1", "kind": "KusciaDeployment"}`, "no metadata.name"},
		"name from the server": {"kubernetes_manifest", `{"manifest": {"apiVersion": "kuscia.secretflow/v1alpha1", "kind": "KusciaDeployment", "metadata": {"generateName": "s-"}}}`, "no metadata.name"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Find(test.resourceType, []byte(test.state))
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), secret) {
				t.Errorf("%v", err)
			}
		})
	}
	if _, err := Find("terraform_data", []byte(`{}`)); !errors.Is(err, ErrUnsupported) {
		t.Errorf("%v", err)
	}
}

// TestFindProperty: any state is either read or refused.
func TestFindProperty(t *testing.T) {
	states := []string{`{}`, `[]`, `{"data": %s}`, `{"manifest": {"value": %s, "type": "dynamic"}}`, `{"body": %s}`, `{"manifest": {"metadata": %s}}`, `{"name": %s, "kind": %s}`}
	values := []string{`null`, `1`, `"x"`, `"{}"`, `{}`, `[]`, `{"value": {"value": 1, "type": 2}, "type": {}}`, `"{\"serving_id\": null}"`, `{"metadata": "x", "kind": {}}`}
	rapid.Check(t, func(t *rapid.T) {
		state := strings.ReplaceAll(rapid.SampledFrom(states).Draw(t, "state"), "%s", rapid.SampledFrom(values).Draw(t, "value"))
		if object, err := Find(rapid.SampledFrom([]string{"restapi_object", "restful_resource", "terracurl_request", "kubernetes_manifest", "kubectl_manifest"}).Draw(t, "type"), []byte(state)); err == nil && object.ID == "" {
			t.Fatalf("%s is read as %v", state, object)
		}
	})
}

// TestFindCreated: create requests and manifests are read as the right object
// or refused with a reason.
func TestFindCreated(t *testing.T) {
	for _, test := range []struct{ resourceType, state, want string }{
		{"restapi_object", `{"data": "{\"domain_id\": \"a\", \"role\": \"partner\"}"}`, "domain a"},
		{"restapi_object", `{"data": "{\"source\": \"a\", \"destination\": \"b-c\", \"authentication_type\": \"Token\"}"}`, "route a/b-c"},
		{"restapi_object", `{"data": "{\"data\": [{\"key\": \"k\", \"value\": \"v\"}]}"}`, "configuration entry k"},
		{"restapi_object", `{"data": "{\"data\": [{\"key\": \"k\"}, {\"key\": \"l\"}]}"}`, "nor one other object"},
		{"restapi_object", `{"data": "{\"domain_id\": \"a\", \"datasource_id\": \"s\", \"type\": \"oss\"}"}`, "data source a/s"},
		{"restapi_object", `{"data": "{\"domain_id\": \"a\", \"domaindata_id\": \"t\", \"relative_uri\": \"t\", \"datasource_id\": \"s\"}"}`, "domain data a/t"},
		{"restapi_object", `{"data": "{\"domain_id\": \"a\", \"relative_uri\": \"t\", \"datasource_id\": \"s\"}"}`, `no "domaindata_id"`},
		{"restapi_object", `{"data": "{\"domain_id\": \"a\", \"domaindatagrant_id\": \"g\", \"domaindata_id\": \"t\", \"grant_domain\": \"b\"}"}`, "grant a/g"},
		{"kubectl_manifest", `{"api_version": "kuscia.secretflow/v1alpha1", "kind": "Domain", "name": "a"}`, "domain a"},
		{"kubectl_manifest", `{"api_version": "kuscia.secretflow/v1alpha1", "kind": "DomainData", "namespace": "a", "name": "t"}`, "domain data a/t"},
		{"kubectl_manifest", `{"api_version": "kuscia.secretflow/v1alpha1", "kind": "DomainDataGrant", "name": "g"}`, "no metadata.namespace"},
		{"kubectl_manifest", `{"api_version": "kuscia.secretflow/v1alpha1", "kind": "ClusterDomainRoute", "name": "a-b-c"}`, "no source and destination"},
		{"kubernetes_manifest", `{"manifest": {"apiVersion": "kuscia.secretflow/v1alpha1", "kind": "ClusterDomainRoute", "metadata": {"name": "a-b-c"}, "spec": {"source": "a", "destination": "b-c"}}}`, "route a/b-c"},
	} {
		found, err := Find(test.resourceType, []byte(test.state))
		if got := string(found.Kind) + " " + found.ID; err == nil && got != test.want || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s is %s, %v; want %s", test.state, got, err, test.want)
		}
	}
}
