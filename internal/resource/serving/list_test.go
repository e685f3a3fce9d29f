package serving_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestList: servings are found by their KusciaDeployments; the standard life shows what a list has.
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
	requests := c.env.CountRequests()
	if ids, said := list(protocol.Query{Config: all, Limit: 1}); said != "" || !slices.Equal(ids, []string{a}) || requests.Since(acctest.PathServingQuery) != 0 {
		t.Errorf("%v, %d queries for a list of ids, said %q", ids, requests.Since(acctest.PathServingQuery), said)
	}
	all["domain_id"] = "bob"
	if ids, said := list(protocol.Query{Config: all}); !slices.Equal(ids, []string{b}) || said != "" {
		t.Errorf("of bob: %v, said %q", ids, said)
	}
	delete(all, "domain_id")
	if _, said := list(protocol.Query{Config: protocol.Object{"label_selector": "a in b"}}); !strings.Contains(said, "Invalid label_selector") {
		t.Errorf("a bad selector: %q", said)
	}
	c.env.Do(func(ctx context.Context, api *kuscia.Client) error { return api.DeleteAppImage(ctx, c.images["v1"]) })()
	c.kube.Eventually(acctest.KubeAppImages, "", c.images["v1"], "deleted", func(i *unstructured.Unstructured) bool { return i == nil })
	ids, said := list(protocol.Query{Config: all, IncludeResource: true})
	if len(ids) != 0 || strings.Count(said, "It is not listed") != 2 {
		t.Errorf("found %v, said %q", ids, said)
	}
	if c.env.Sandbox != nil {
		c.env.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultStatus, Status: http.StatusForbidden, Path: acctest.PathServingQuery})
		if ids, said := list(protocol.Query{Config: all, IncludeResource: true}); len(ids) != 0 || !strings.Contains(said, "Unable to read serving") {
			t.Errorf("found %v, said %q", ids, said)
		}
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
