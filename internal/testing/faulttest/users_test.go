package faulttest_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestUsersInCluster: the plan of the deletion of an app image or a domain names the servings,
// deployments and routes in the cluster that use it. Without the permission to list them, it does
// not, and is no error.
func TestUsersInCluster(t *testing.T) {
	t.Parallel()
	e, k := acctest.New(t), acctest.NewKubeServer(t)
	name := k.Name("used")
	image := with(referenceCases()["app image"].makes, protocol.Object{"name": name})
	s := e.Server(k.Variables())
	images, domains := s.Resource(t, "kuscia_app_image"), s.Resource(t, "kuscia_domain")
	made, domain := images.Create(t, protocol.Value(images.Kind, image)), domains.Create(t, protocol.Value(domains.Kind, protocol.Object{"domain_id": name}))
	use := func(name, appType, domain string) {
		labels := map[string]any{}
		if appType != "" {
			labels["kuscia.secretflow/app-type"] = appType
		}
		k.Create(acctest.KubeKusciaDeployments, &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "kuscia.secretflow/v1alpha1", "kind": "KusciaDeployment",
			"metadata": map[string]any{"namespace": acctest.KubeNamespace, "name": name, "labels": labels},
			"spec":     map[string]any{"initiator": "alice", "inputConfig": "{}", "parties": []any{map[string]any{"domainID": domain, "appImageRef": image["name"]}}},
		}})
	}
	use(name+"-kd", "", "alice")
	use(name+"-serving", "serving", name)
	k.Create(acctest.KubeRoutes, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kuscia.secretflow/v1alpha1", "kind": "ClusterDomainRoute",
		"metadata": map[string]any{"name": name + "-alice"},
		"spec":     map[string]any{"source": name, "destination": "alice", "authenticationType": "Token", "endpoint": map[string]any{"host": "h", "ports": []any{map[string]any{"name": "http", "port": int64(1080), "protocol": "HTTP"}}}},
	}})
	expect := func(what string, r *protocol.Resource, state protocol.State, parts ...string) {
		t.Helper()
		response, _ := r.Plan(t, r.None().Value, state)
		said := protocol.Messages(response.Diagnostics)
		if strings.Contains(said, "ERROR") || len(parts) == 0 && said != "" {
			t.Errorf("%s: %s", what, said)
		}
		protocol.Says(t, what, said, parts...)
	}
	expect("the image", images, made, "is still used", `KusciaDeployment "`+name+`-kd"`, `serving "`+name+`-serving"`)
	expect("the domain", domains, domain, "is still used", `serving "`+name+`-serving"`, `route "`+name+`/alice"`)
	k.Limit(acctest.KubeRule{APIGroups: []string{"kuscia.secretflow"}, Resources: []string{"kusciadeployments", "clusterdomainroutes"}, Verbs: []string{"get"}})
	s = e.Server(k.Variables())
	images, domains = s.Resource(t, "kuscia_app_image"), s.Resource(t, "kuscia_domain")
	expect("the image, without the permission", images, made)
	expect("the domain, without the permission", domains, domain)
}

// TestUsersOfDeletedDomain: the plan of the deletion of a domain warns of its data and grants, but
// not of those that the same plan deletes.
func TestUsersOfDeletedDomain(t *testing.T) {
	t.Parallel()
	e, s := referenceBed(t)
	r := s.Resource(t, "kuscia_domain_data_grant")
	r.Create(t, protocol.Value(r.Kind, referenceCases()["data"].config))
	deletion := func(s *protocol.Server, kind, id string) string {
		r := s.Resource(t, kind)
		state, said := r.Import(t, id)
		if said != "" {
			t.Fatal(said)
		}
		response, _ := r.Plan(t, r.None().Value, state)
		return protocol.Messages(response.Diagnostics)
	}
	said := deletion(e.Server(nil), "kuscia_domain", "alice")
	protocol.Says(t, "the plan", said, "WARNING", `domain "alice"`, "is still used", `domain data "alice/table"`, `grant "alice/g"`)
	together := e.Server(nil)
	said = deletion(together, "kuscia_domain_data_grant", "alice/g") + deletion(together, "kuscia_domain_data", "alice/table") + deletion(together, "kuscia_domain", "alice")
	if said != "" {
		t.Errorf("a destroy of all says %s", said)
	}
}
