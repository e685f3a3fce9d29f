package fieldstest_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestErrorsOfCluster: what a cluster refuses or cannot do is an error that says what to do, and
// nothing is changed.
func TestErrorsOfCluster(t *testing.T) {
	t.Parallel()
	get := acctest.KubeRule{APIGroups: []string{"kuscia.secretflow"}, Resources: []string{"*"}, Verbs: []string{"get", "list"}}
	for name, c := range map[string]struct {
		variables map[string]string
		// before is done before the plan, between before the apply.
		before, between func(b *bench, of made)
		says            []string
	}{
		"does not answer": {
			variables: map[string]string{"KUSCIA_KUBE_CONFIG_CONTEXT": "unreachable"},
			says:      []string{"Unable to read domain route in the cluster", "does not answer", "remove it from the provider block"},
		},
		"invalid": {
			before: func(b *bench, of made) {
				b.kube.Fault(acctest.KubeFault{Verb: "patch", Name: of.name, Status: http.StatusUnprocessableEntity, Message: "spec.endpoint.host: Invalid value", Times: -1})
			},
			says: []string{"Unable to update domain route", "spec.endpoint.host: Invalid value"},
		},
		"gone since the plan": {
			between: func(b *bench, of made) { b.kube.Delete(acctest.KubeRoutes, "", of.name) },
			says:    []string{"The cluster had the object in the plan and does not have it any more", "Nothing was changed. Plan again"},
		},
		"not to be seen since the plan": {
			between: func(b *bench, _ made) { b.kube.Limit() },
			says:    []string{"Unable to update domain route", "cannot get", "Nothing was changed", "verbs get and patch of clusterdomainroutes.kuscia.secretflow"},
		},
		"not to be patched since the plan": {
			between: func(b *bench, _ made) { b.kube.Limit(get) },
			says:    []string{"Unable to update domain route", "cannot patch", "Nothing was changed", "verb patch of clusterdomainroutes.kuscia.secretflow"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			_, of, changed, state := b.imported(route, whiteList, true)
			r := b.env.Server(merged(b.kube.Variables(), c.variables)).Resource(t, route)
			if c.before != nil {
				c.before(b, of)
			}
			config := protocol.Value(r.Kind, changed)
			plan, _ := r.Plan(t, config, state)
			diagnostics := plan.Diagnostics
			if c.between != nil {
				protocol.Check(t, nil, diagnostics)
				c.between(b, of)
				diagnostics = r.Change(t, config, state, plan).Diagnostics
			}
			said := protocol.Messages(diagnostics)
			if protocol.Says(t, "the error", said, c.says...); !protocol.Failed(diagnostics) {
				t.Errorf("it is no error: %s", said)
			}
			if found := b.kube.Get(acctest.KubeRoutes, "", of.name); found != nil && (!b.has(route, whiteList, of) || strings.Contains(said, "1081")) {
				t.Errorf("it was changed: %v", found)
			}
		})
	}
}

func merged(a, b map[string]string) map[string]string {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}
