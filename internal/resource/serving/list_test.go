package serving_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestList: servings are found by their KusciaDeployments, and the results are
// what an import would read.
func TestList(t *testing.T) {
	t.Parallel()
	c := newClustered(t, acctest.NewKube(t))
	label := c.name + "-test"
	create := func(id, domain string) string {
		c.env.Do(func(ctx context.Context, api *kuscia.Client) error {
			return api.CreateServing(ctx, &kuscia.CreateServingRequest{ServingID: id, Initiator: domain, ServingInputConfig: "{}", Parties: []kuscia.ServingParty{
				{DomainID: domain, AppImage: c.images["v1"], UpdateStrategy: &kuscia.UpdateStrategy{Type: "Recreate"}},
			}})
		})()
		c.kube.Patch(acctest.KubeKusciaDeployments, acctest.KubeNamespace, id, types.MergePatchType, fmt.Sprintf(`{"metadata":{"labels":{"test":%q}}}`, label))
		return id
	}
	a, b := create(c.name+"-a", "alice"), create(c.name+"-b", "bob")
	r := c.resource()
	list := func(q protocol.Query) (ids []string, results []tfprotov6.ListResourceResult, said string) {
		t.Helper()
		results, diagnostics := r.List(t.Context(), t, q)
		kind := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"serving_id": tftypes.String}}
		for _, result := range results {
			ids = append(ids, protocol.Text(protocol.Fields(protocol.Decode(kind, result.Identity.IdentityData))["serving_id"]))
		}
		return ids, results, protocol.Messages(diagnostics)
	}
	all := protocol.Object{"label_selector": "test=" + label}
	for name, test := range map[string]struct {
		query protocol.Query
		want  []string
	}{
		"all":    {protocol.Query{Config: all}, []string{a, b}},
		"limit":  {protocol.Query{Config: all, Limit: 1}, []string{a}},
		"domain": {protocol.Query{Config: protocol.Object{"label_selector": "test=" + label, "domain_id": "bob"}}, []string{b}},
		"none":   {protocol.Query{Config: protocol.Object{"label_selector": "test=nobody"}}, nil},
	} {
		if ids, _, said := list(test.query); !slices.Equal(ids, test.want) || said != "" {
			t.Errorf("%s: found %v, said %q", name, ids, said)
		}
	}

	requests := c.env.CountRequests()
	if _, _, said := list(protocol.Query{Config: all}); said != "" || requests.Since(acctest.PathServingQuery) != 0 {
		t.Errorf("%d queries for a list of ids, said %q", requests.Since(acctest.PathServingQuery), said)
	}
	for _, id := range []string{a, b} {
		c.kube.Eventually(acctest.KubeKusciaDeployments, acctest.KubeNamespace, id, "read as complete", func(*unstructured.Unstructured) bool {
			imported, _ := r.Import(t, id)
			return !protocol.Fields(imported.Value)["rollout_complete"].IsNull()
		})
	}
	ids, results, said := list(protocol.Query{Config: all, IncludeResource: true})
	if !slices.Equal(ids, []string{a, b}) || said != "" {
		t.Fatalf("found %v, said %q", ids, said)
	}
	for i, id := range ids {
		imported, said := r.Import(t, id)
		if got := protocol.Decode(r.Kind, results[i].Resource); said != "" || !got.Equal(imported.Value) || results[i].DisplayName != id {
			t.Errorf("%s: the list has\n%s, and an import reads\n%s", id, got, imported.Value)
		}
	}

	c.env.Do(func(ctx context.Context, api *kuscia.Client) error { return api.DeleteAppImage(ctx, c.images["v1"]) })()
	c.kube.Eventually(acctest.KubeAppImages, "", c.images["v1"], "deleted", func(i *unstructured.Unstructured) bool { return i == nil })
	ids, _, said = list(protocol.Query{Config: all, IncludeResource: true})
	if len(ids) != 0 || strings.Count(said, "It is not listed") != 2 {
		t.Errorf("found %v, said %q", ids, said)
	}
	if _, _, said = list(protocol.Query{Config: protocol.Object{"domain_id": ""}}); !strings.Contains(said, "domain_id") {
		t.Errorf("an empty filter says %q", said)
	}
	if c.kube.Server != nil { // permissions of a real control plane are not changed
		c.kube.Limit(acctest.KubeRule{APIGroups: []string{"kuscia.secretflow"}, Resources: []string{"kusciadeployments"}, Verbs: []string{"get"}})
		if _, _, said = list(protocol.Query{Config: all}); !strings.Contains(said, `cannot list resource "kusciadeployments"`) {
			t.Errorf("without permission: %q", said)
		}
	}
	r = c.withoutCluster()
	if _, _, said = list(protocol.Query{Config: all}); !strings.Contains(said, "Kubernetes not configured") {
		t.Errorf("without a cluster: %q", said)
	}
}
