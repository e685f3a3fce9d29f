package rollout_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestTwoRolloutsOfOneRun: of two new Rollouts with one workload, the one that is planned
// second is refused, also right before the apply creates it. Workloads of two kinds may have one
// name.
func TestTwoRolloutsOfOneRun(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.k.Sweep(b.name + "-b")
	ref := tree{"name": b.name, "kind": "StatefulSet"}
	second := b.config(tree{"workload_ref": ref, "name": b.name + "-b"})
	for _, first := range []definition.Value{b.config(nil), b.config(tree{"workload_ref": ref})} {
		if said := b.PlanErrors(t, first); strings.Contains(said, "ERROR") {
			t.Errorf("the first says %s", said)
		}
	}
	plan, _ := b.Plan(t, second, b.None())
	for _, want := range []string{"Two Rollouts for one workload", `Rollout "alice/` + b.name + `" of the same`, `"workload_ref"`, check.ResumeDestroy} {
		if said := crudtest.Messages(plan.Diagnostics); !strings.Contains(said, want) {
			t.Errorf("the plan of the second has no %q: %s", want, said)
		}
	}
	// As with values that are known only in the apply.
	made := b.Change(t, second, b.None(), plan)
	if said := crudtest.Messages(made.Diagnostics); !strings.Contains(said, "Two Rollouts for one workload") || strings.Contains(said, check.ResumeDestroy) {
		t.Errorf("the apply of the second says %s", said)
	}
}

// TestDeploymentWarnings: a plan warns of a Deployment that another client has paused, until the
// Rollout exists, of a step with more pods than the Deployment has, and of an annotation that
// names the release, with which the webhook lets a change of the image through.
func TestDeploymentWarnings(t *testing.T) {
	t.Parallel()
	r := newReleases(t, nil)
	patch := func(patch string) {
		r.k.Patch(acctest.KubeDeployments, domain, r.name, types.MergePatchType, patch)
	}
	expect := func(what, said string, parts ...string) {
		t.Helper()
		if len(parts) == 0 && said != "" || strings.Contains(said, "ERROR") || strings.Count(said, "WARNING") != min(len(parts), 1) {
			t.Errorf("%s: got diagnostics %s", what, said)
		}
		protocol.Says(t, what, said, parts...)
	}
	steps := func(replicas ...string) definition.Value {
		all := make([]any, len(replicas))
		for i := range replicas {
			all[i] = tree{"replicas": replicas[i]}
		}
		return r.steps(tree{"canary": tree{"steps": all}})
	}
	expect("as many pods", r.said(t, steps("1", "4", "100%"), r.None()))
	expect("too many pods", r.said(t, steps("1", "5", "6"), r.None()),
		`AttributeName("canary").AttributeName("steps").ElementKeyInt(1).AttributeName("replicas")`, "Step 2 has 5 pods", "has 4 in all")
	r.scale(1)
	expect("one pod", r.said(t, steps("1", "100%"), r.None()))
	expect("a share of one pod", r.said(t, steps("25%", "100%"), r.None()),
		`AttributeName("steps").ElementKeyInt(0).AttributeName("replicas")`, "has one pod, so step 1 with 25% replaces it")
	r.scale(4)
	expect("of another kind", r.said(t, r.steps(tree{"workload_ref": tree{"name": r.name, "kind": "StatefulSet"}, "canary": tree{"steps": []any{tree{"replicas": "5"}}}}), r.None()))
	patch(`{"spec":{"paused":true}}`)
	expect("paused, disabled", r.said(t, r.steps(tree{"disabled": true}), r.None()))
	expect("paused", r.said(t, r.steps(nil), r.None()), `AttributeName("workload_ref")`, "no Rollout releases it", `"kubectl rollout resume deployment/`+r.name+" -n "+domain)
	patch(`{"spec":{"paused":false},"metadata":{"annotations":{"rollouts.kruise.io/rollout-id":"1"}}}`)
	expect("annotated", r.said(t, r.steps(nil), r.None()), "has the annotation rollouts.kruise.io/rollout-id")
	patch(`{"metadata":{"annotations":{"rollouts.kruise.io/rollout-id":null}}}`)
	state, _ := r.ApplyAndVerify(t, r.steps(nil), r.None())
	patch(`{"spec":{"paused":true}}`)
	expect("paused later", r.said(t, steps("1", "100%"), state))
	patch(`{"spec":{"paused":false}}`)
	r.paused(t)
	expect("during a release", r.said(t, r.steps(tree{"paused": true}), state))
}
