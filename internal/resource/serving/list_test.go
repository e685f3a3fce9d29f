package serving_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestList: servings are found by their KusciaDeployments.
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
	list := func(q protocol.Query) (ids []string, said string) {
		t.Helper()
		results, diagnostics := r.List(t.Context(), t, q)
		for _, result := range results {
			ids = append(ids, result.DisplayName)
		}
		return ids, protocol.Messages(diagnostics)
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
		if ids, said := list(test.query); !slices.Equal(ids, test.want) || said != "" {
			t.Errorf("%s: found %v, said %q", name, ids, said)
		}
	}

	if _, said := list(protocol.Query{Config: protocol.Object{"label_selector": "a in b"}}); !strings.Contains(said, "Invalid label_selector") || !strings.Contains(said, "It is not a label selector") {
		t.Errorf("a bad selector: %q", said)
	}

	requests := c.env.CountRequests()
	if _, said := list(protocol.Query{Config: all}); said != "" || requests.Since(acctest.PathServingQuery) != 0 {
		t.Errorf("%d queries for a list of ids, said %q", requests.Since(acctest.PathServingQuery), said)
	}
	c.env.Do(func(ctx context.Context, api *kuscia.Client) error { return api.DeleteAppImage(ctx, c.images["v1"]) })()
	c.kube.Eventually(acctest.KubeAppImages, "", c.images["v1"], "deleted", func(i *unstructured.Unstructured) bool { return i == nil })
	ids, said := list(protocol.Query{Config: all, IncludeResource: true})
	if len(ids) != 0 || strings.Count(said, "It is not listed") != 2 {
		t.Errorf("found %v, said %q", ids, said)
	}
	if c.kube.Server != nil { // permissions of a real control plane are not changed
		c.kube.Limit(acctest.KubeRule{APIGroups: []string{"kuscia.secretflow"}, Resources: []string{"kusciadeployments"}, Verbs: []string{"get"}})
		if _, said = list(protocol.Query{Config: all}); !strings.Contains(said, `cannot list resource "kusciadeployments"`) {
			t.Errorf("without permission: %q", said)
		}
	}
	r = c.withoutCluster()
	if _, said = list(protocol.Query{Config: all}); !strings.Contains(said, "Kubernetes not configured") {
		t.Errorf("without a cluster: %q", said)
	}
}
