package rollout_test

import (
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/rollout"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
)

// TestOtherRolloutLeaves: a Rollout takes the place of another one whose deletion is
// planned a little later in the same run.
func TestOtherRolloutLeaves(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, _ := b.ApplyAndVerify(t, b.config(tree{"name": b.name + "-old"}), b.None())
	b.k.Sweep(b.name + "-old")
	b.c = b.access()
	next := crudtest.NewServer(t, exported, b.c)
	time.AfterFunc(time.Second, func() { b.c.PlannedWorkloads.RecordRolloutRemoved(domain, b.name, domain+"/"+b.name+"-old", true) })
	if said := next.PlanErrors(t, b.config(nil)); said != "" {
		t.Errorf("the plan says %s", said)
	}
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		b.Server.Delete(t, state)
	}()
	if made, said := next.Apply(t, b.config(nil), next.None()); said != "" || text(made, "name") != b.name {
		t.Errorf("the Rollout is %s, and the apply says %s", text(made, "name"), said)
	}
	<-gone
}

// TestSpelling: different spellings of the same value plan no change, what is written as
// empty is stored, and neither sends anything.
func TestSpelling(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, _ := b.ApplyAndVerify(t, b.config(nil), b.None())
	b.quiet(t)
	requests := b.k.CountRequests()
	b.CheckNoDrift(t, b.config(tree{
		"workload_ref": tree{"api_version": "apps/v1", "kind": "Deployment", "name": b.name}, "canary": tree{"steps": []any{tree{"replicas": "01"}, tree{"replicas": "100%"}}},
	}), state)
	steps := []any{tree{"replicas": "1", "traffic": "", "pause": tree{}}, tree{"replicas": "100%", "matches": []any{}}}
	b.ApplyAndVerify(t, b.config(tree{"canary": tree{"steps": steps, "traffic_routings": []any{}, "enable_extra_workload_for_canary": false}}), state)
	acctest.CheckNoWrites(t, "the same values", requests)
}

// TestErrorsOfTheCluster: access errors are reported, and the state is kept.
func TestErrorsOfTheCluster(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.k.RequireSimulated(t, "faults")
	state, _ := b.ApplyAndVerify(t, b.config(nil), b.None())
	b.k.Limit(acctest.KubeRule{APIGroups: []string{"rollouts.kruise.io"}, Resources: []string{"rollouts"}, Verbs: []string{"list"}})
	response, _ := b.Read(t, state)
	_, deleted := b.Delete(t, state)
	_, updated := b.Apply(t, b.config(tree{"paused": true}), state)
	r := &releases{b, crudtest.NewServer(t, approvalObject{}, b.c)}
	_, approved := r.approvals.Apply(t, r.approval(t, 1, nil), r.approvals.None())
	for what, said := range map[string]string{"read": crudtest.Messages(response.Diagnostics), "delete": deleted, "update": updated, "approval": approved} {
		if !strings.Contains(said, `resource "rollouts" in API group "rollouts.kruise.io" in the namespace "alice"`) || !strings.Contains(said, "lacks a permission") {
			t.Errorf("%s without permission: got diagnostics %s", what, said)
		}
	}
	for says, access := range map[string]clients.Kubernetes{"Kubernetes not configured: set kubernetes": {Missing: "set kubernetes"}, "": {Unknown: []string{`"kubernetes"`}}} {
		none := b.access()
		none.Kubernetes = access
		if said := crudtest.NewServer(t, exported, none).PlanErrors(t, b.config(nil)); !strings.Contains(said, says) || (said == "") != (says == "") {
			t.Errorf("without access, plan: got diagnostics %s", said)
		}
	}
}

// TestShortcutsAreTaken: the shortcuts handle all requests of a plan without changes.
func TestShortcutsAreTaken(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	crudtest.NewFastServer(t, rollout.TrafficRouting, b.c).CheckFastPath(t, b.routing(nil))
	steps := []any{tree{"replicas": "025%", "matches": []any{tree{"headers": []any{tree{"name": "a", "value": "b"}}}}, "request_header_modifier": tree{"set": map[string]string{"a": "1"}}}, tree{"replicas": "100%"}}
	canary := tree{"traffic_routing_ref": b.name, "failure_threshold": "010%", "steps": steps}
	crudtest.NewFastServer(t, rollout.Rollout, b.c).CheckFastPath(t, b.config(tree{"paused": true, "canary": canary}))
}
