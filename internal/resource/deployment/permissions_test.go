package deployment_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/deployment"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestWithoutPermissionToWait: without a permission that the wait needs, nothing is sent.
// Otherwise the wait would fail after the create or the delete: a deployment that runs would be
// tainted, and a replacement would end with its delete. What may not be listed is not shown as
// missing. The documented permissions suffice.
func TestWithoutPermissionToWait(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.RequireSimulated(t, "permissions")
	// limit leaves out a permission.
	limit := func(resource, verb string) {
		var rules []acctest.KubeRule
		for name, verbs := range map[string][]string{
			"kuscia.secretflow/kusciadeployments": {"get", "list", "create", "patch", "delete"}, "kuscia.secretflow/domains": {"get"}, "kuscia.secretflow/appimages": {"get"},
			"apps/deployments": {"get", "list"}, "/services": {"list"}, "/configmaps": {"list"},
		} {
			group, of, _ := strings.Cut(name, "/")
			if of == resource {
				verbs = slices.DeleteFunc(verbs, func(v string) bool { return v == verb })
			}
			rules = append(rules, acctest.KubeRule{APIGroups: []string{group}, Resources: []string{of}, Verbs: verbs})
		}
		b.Limit(rules...)
	}
	refused := func(what string, do func() string, wants ...string) {
		t.Helper()
		writes := b.CountRequests()
		said := do()
		protocol.Says(t, what, said, append(wants, "ERROR")...)
		acctest.CheckNoWrites(t, what, writes)
	}
	const unreadable = `cannot get resource "deployments" in API group "apps" in the namespace "alice"`
	var state crudtest.State
	apply := func(config definition.Value, prior crudtest.State) func() string {
		return func() (said string) {
			state, said = b.Apply(t, config, prior)
			return said
		}
	}
	scaled := b.config(nil, tree{"replicas": int64(2)})
	limit("appimages", "get")
	refused("the create without app images", apply(b.config(nil, nil), b.None()), "Missing permission to read app image", "nothing was sent")
	limit("deployments", "get")
	refused("the create", apply(b.config(nil, nil), b.None()), "Missing permission to read the Deployment", "nothing was sent", unreadable)
	if !state.Value.IsNull() {
		t.Error("the create that was not sent is in the state")
	}
	if said := apply(b.config(tree{"wait_for_rollout": false}, nil), b.None())(); strings.Contains(said, "ERROR") {
		t.Errorf("the create without a wait says %s", said)
	}
	refused("the update", apply(scaled, state), "Missing permission to read the Deployment", "nothing was sent", unreadable)
	finder := crudtest.NewFinder(t, b.c, deployment.Types)
	limit("deployments", "list")
	_, shown := finder.ReadData(t, "kuscia_deployment", map[string]string{"name": b.name})
	limit("kusciadeployments", "list")
	_, all := finder.ReadData(t, "kuscia_deployments", nil)
	_, listed := finder.List(t, "kuscia_deployment", nil, 0)
	if said := shown + all + listed; strings.Count(said, "cannot list resource") != 3 {
		t.Errorf("the data sources and the list say %s", said)
	}
	for _, resource := range []string{"deployments", "services", "configmaps"} {
		limit(resource, "list")
		refused("the delete without list of "+resource, func() (said string) {
			state, said = b.Server.Delete(t, state)
			return said
		}, "nothing was deleted", `cannot list resource "`+resource+`"`)
		if state.Value.IsNull() {
			t.Error("the deployment that was not deleted is not in the state")
		}
	}
	limit("", "")
	if said := apply(scaled, state)(); said != "" {
		t.Errorf("with the documented permissions the update says %s", said)
	}
	if gone, said := b.Server.Delete(t, state); !gone.Value.IsNull() || said != "" {
		t.Errorf("the delete says %s", said)
	}
}
