package rollout_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestDeploymentWarnings: a plan warns of a Deployment that another client has paused, until the
// Rollout exists, and of a step with more pods than the Deployment has.
func TestDeploymentWarnings(t *testing.T) {
	t.Parallel()
	r := newReleases(t, nil)
	pause := func(paused string) {
		r.k.Patch(acctest.KubeDeployments, domain, r.name, types.MergePatchType, `{"spec":{"paused":`+paused+`}}`)
	}
	expect := func(what, said string, parts ...string) {
		t.Helper()
		if len(parts) == 0 && said != "" || strings.Contains(said, "ERROR") || strings.Count(said, "WARNING") != min(len(parts), 1) {
			t.Errorf("%s: got diagnostics %s", what, said)
		}
		for _, part := range parts {
			if !strings.Contains(said, part) {
				t.Errorf("%s: got diagnostics %s, want %s", what, said, part)
			}
		}
	}
	steps := func(replicas ...any) tree {
		all := make([]any, len(replicas))
		for i := range replicas {
			all[i] = tree{"replicas": replicas[i]}
		}
		return tree{"canary": tree{"steps": all}}
	}
	const command = `"kubectl rollout resume deployment/`
	expect("as many pods", r.said(t, r.steps(steps("1", "4", "100%")), r.None()))
	expect("too many pods", r.said(t, r.steps(steps("1", "5", "6")), r.None()),
		`AttributeName("canary").AttributeName("steps").ElementKeyInt(1).AttributeName("replicas")`, "Step 2 has 5 pods", "has 4 in all")
	r.scale(1)
	expect("one pod", r.said(t, r.steps(steps("1", "100%")), r.None()))
	expect("a share of one pod", r.said(t, r.steps(steps("25%", "100%")), r.None()),
		`AttributeName("steps").ElementKeyInt(0).AttributeName("replicas")`, "has one pod, so step 1 with 25% replaces it")
	r.scale(4)
	pause("true")
	expect("paused, disabled", r.said(t, r.steps(tree{"disabled": true}), r.None()))
	expect("paused", r.said(t, r.steps(nil), r.None()), `AttributeName("workload_ref")`, "no Rollout releases it", command+r.name+" -n "+domain)
	pause("false")
	state, _ := r.ApplyAndVerify(t, r.steps(nil), r.None())
	pause("true")
	expect("paused later", r.said(t, r.steps(steps("1", "100%")), state))
	pause("false")
	r.paused(t)
	expect("during a release", r.said(t, r.steps(tree{"paused": true}), state))
}
