package deployment_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestWithoutPermissionToWait: without a permission that the wait needs, nothing is sent.
// Otherwise the wait would fail after the create or the delete: a deployment that runs would be
// tainted, and a replacement would end with its delete. The documented permissions suffice.
func TestWithoutPermissionToWait(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.RequireSimulated(t, "permissions")
	documented := []acctest.KubeRule{
		{APIGroups: []string{"kuscia.secretflow"}, Resources: []string{"kusciadeployments"}, Verbs: []string{"get", "list", "create", "patch", "delete"}},
		{APIGroups: []string{"kuscia.secretflow"}, Resources: []string{"domains"}, Verbs: []string{"get"}},
		{APIGroups: []string{"kuscia.secretflow"}, Resources: []string{"appimages"}, Verbs: []string{"get"}},
		{APIGroups: []string{"apps"}, Resources: []string{"deployments"}, Verbs: []string{"get", "list"}},
		{APIGroups: []string{""}, Resources: []string{"services"}, Verbs: []string{"list"}},
		{APIGroups: []string{""}, Resources: []string{"configmaps"}, Verbs: []string{"list"}},
	}
	// limit leaves out a permission.
	limit := func(resource, verb string) {
		var rules []acctest.KubeRule
		for _, rule := range documented {
			verbs := rule.Verbs
			if rule.Resources[0] == resource {
				verbs = slices.DeleteFunc(slices.Clone(verbs), func(v string) bool { return v == verb })
			}
			rules = append(rules, acctest.KubeRule{APIGroups: rule.APIGroups, Resources: rule.Resources, Verbs: verbs})
		}
		b.Limit(rules...)
	}
	refused := func(what, said string, writes *acctest.KubeRequests, wants ...string) {
		t.Helper()
		for _, want := range append(wants, "ERROR") {
			if !strings.Contains(said, want) {
				t.Errorf("%s does not say %q: %s", what, want, said)
			}
		}
		if err := writes.ExpectNoWrites()(nil); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	const unreadable = `cannot get resource "deployments" in API group "apps" in the namespace "alice"`
	config := b.config(nil, nil)

	limit("deployments", "get")
	writes := b.CountRequests()
	state, said := b.Apply(t, config, b.None())
	refused("the create", said, writes, "Missing permission to read the Deployment", "nothing was sent", unreadable)
	if !state.Value.IsNull() {
		t.Error("the create that was not sent is in the state")
	}
	state, said = b.Apply(t, b.config(tree{"wait_for_rollout": false}, nil), b.None())
	if strings.Contains(said, "ERROR") {
		t.Errorf("the create without a wait says %s", said)
	}
	writes = b.CountRequests()
	_, said = b.Apply(t, b.config(nil, tree{"replicas": int64(2)}), state)
	refused("the update", said, writes, "Missing permission to read the Deployment", "nothing was sent", unreadable)

	for _, resource := range []string{"deployments", "services", "configmaps"} {
		limit(resource, "list")
		writes := b.CountRequests()
		gone, said := b.Server.Delete(t, state)
		refused("the delete without list of "+resource, said, writes, "nothing was deleted", `cannot list resource "`+resource+`"`)
		if gone.Value.IsNull() {
			t.Error("the deployment that was not deleted is not in the state")
		}
	}
	limit("", "")
	if state, said = b.Apply(t, b.config(nil, tree{"replicas": int64(2)}), state); said != "" {
		t.Errorf("with the documented permissions the update says %s", said)
	}
	if gone, said := b.Server.Delete(t, state); !gone.Value.IsNull() || said != "" {
		t.Errorf("the delete says %s", said)
	}
}
