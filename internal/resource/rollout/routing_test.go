package rollout_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/rollout"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// routed is a Rollout whose releases the traffic routing of the same name routes.
func (r *releases) routed(with tree) definition.Value {
	canary := tree{"traffic_routing_ref": r.name, "steps": []any{tree{"replicas": "25%"}, tree{"replicas": "50%"}, tree{"replicas": "100%"}}}
	return r.steps(merged(tree{"canary": canary}, with))
}

// TestRoutingInUse: traffic routing is not deleted during a release that it routes:
// the delete would not end before the release does.
func TestRoutingInUse(t *testing.T) {
	t.Parallel()
	r := newReleases(t, nil)
	routings := r.routings(t)
	routing, _ := routings.ApplyAndVerify(t, r.routing(nil), routings.None())
	state, _ := r.ApplyAndVerify(t, r.routed(nil), r.None())
	r.paused(t)
	kept, said := routings.Delete(t, routing)
	if kept.Value.IsNull() || !strings.Contains(said, `Rollout "`+domain+"/"+r.name+`"`) || !strings.Contains(said, "A release is in progress") {
		t.Errorf("the delete says %s", said)
	}
	if r.k.Get(acctest.KubeTrafficRoutings, domain, r.name).GetDeletionTimestamp() != nil {
		t.Error("it is being deleted")
	}
	r.CheckNoDrift(t, r.routed(nil), state)
	// A change of the reference would leave the finalizer of the release for ever.
	without := r.steps(tree{"canary": tree{"steps": []any{tree{"replicas": "25%"}, tree{"replicas": "50%"}, tree{"replicas": "100%"}}}})
	answer, _ := r.Plan(t, without, state)
	if said := crudtest.Messages(answer.Diagnostics); !strings.Contains(said, "traffic_routing_ref") || !strings.Contains(said, "Not possible during a release") {
		t.Errorf("a change of the reference says %s", said)
	}
	r.image("v1")
	r.until(t, kruise.Healthy, 0)
	if gone, said := routings.Delete(t, routing); !gone.Value.IsNull() || said != "" {
		t.Errorf("after the release the delete says %s", said)
	}
}

// TestRoutingWithItsRollout: a destroy of both, where promote_on_destroy lets the
// Rollout go in mid-release, plans without an error, and both go.
func TestRoutingWithItsRollout(t *testing.T) {
	t.Parallel()
	r := newReleases(t, nil)
	routings := r.routings(t)
	routing, _ := routings.ApplyAndVerify(t, r.routing(nil), routings.None())
	state, _ := r.ApplyAndVerify(t, r.routed(tree{"promote_on_destroy": true}), r.None())
	r.paused(t)
	answer, _ := routings.Plan(t, routings.None().Value, routing)
	if said := crudtest.Messages(answer.Diagnostics); strings.Contains(said, "ERROR") || !strings.Contains(said, "A release is in progress") {
		t.Errorf("the plan of the destroy says %s", said)
	}
	if gone, said := r.Delete(t, state); !gone.Value.IsNull() || said != "" {
		t.Errorf("the delete of the Rollout says %s", said)
	}
	if gone, said := routings.Delete(t, routing); !gone.Value.IsNull() || said != "" {
		t.Errorf("the delete says %s", said)
	}
}

// TestRoutingDeleteEnds: a delete that waits for finalizers ends, and says for which.
func TestRoutingDeleteEnds(t *testing.T) {
	t.Parallel()
	if limit, has := rollout.BoundedDeadline(t.Context()); !has || limit > 5*time.Minute || limit < 4*time.Minute {
		t.Errorf("a delete without a limit takes %s, limited %t", limit, has)
	}
	r := newReleasesOn(t, acctest.NewKubeServer(t), nil)
	routings := r.routings(t)
	routings.ApplyAndVerify(t, r.routing(nil), routings.None())
	r.ApplyAndVerify(t, r.routed(nil), r.None())
	r.paused(t)
	if err := rollout.TrafficRouting.API(r.c).Delete(t.Context(), crud.ID{domain, r.name}); err == nil || !strings.Contains(err.Error(), "has begun that uses it") {
		t.Errorf("a delete that was checked before says %v", err)
	}
	r.k.Delete(acctest.KubeTrafficRoutings, domain, r.name)
	short, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if limit, has := rollout.BoundedDeadline(short); !has || limit > time.Second {
		t.Errorf("a delete with a limit takes %s, limited %t", limit, has)
	}
	err := rollout.TrafficRouting.API(r.c).Delete(short, crud.ID{domain, r.name})
	if err == nil || !strings.Contains(err.Error(), "progressing.rollouts.kruise.io/"+r.name) || !strings.Contains(err.Error(), "its release") {
		t.Errorf("the delete says %v", err)
	}
}

// TestRoutingThatIsMissing: a reference to traffic routing that does not exist is warned
// of, unless the same run makes it: a release would wait for it without an end.
func TestRoutingThatIsMissing(t *testing.T) {
	t.Parallel()
	r := newReleases(t, nil)
	const missing = "There is no such traffic routing"
	state, said := r.Apply(t, r.routed(nil), r.None())
	if strings.Count(said, missing) != 2 || strings.Contains(said, "ERROR") || !strings.Contains(said, domain+"/"+r.name) {
		t.Errorf("plan and apply say %s", said)
	}
	if said := r.said(t, r.routed(tree{"paused": true}), state); said != "" {
		t.Errorf("a change of something else says %s", said)
	}
	routings := r.routings(t)
	routings.Plan(t, r.routing(nil), routings.None())
	r.Delete(t, state)
	if said := r.said(t, r.routed(nil), r.None()); said != "" {
		t.Errorf("after the plan of the traffic routing: %s", said)
	}
	routings.ApplyAndVerify(t, r.routing(nil), routings.None())
	if _, said := r.ApplyAndVerify(t, r.routed(nil), r.None()); said != "" {
		t.Errorf("with the traffic routing: %s", said)
	}
}

// TestNotInstalled: that the cluster has no OpenKruise Rollouts is said in the plan.
func TestNotInstalled(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	client, err := kube.New(kube.Config{Host: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	c := clients.WithoutKuscia("none is configured")
	c.Kubernetes = clients.Kubernetes{Open: func() (*kube.Client, error) { return client, nil }}
	b := &bench{Server: crudtest.NewServer(t, exported, c), c: c, name: "r"}
	for what, said := range map[string]string{
		"rollouts": b.PlanErrors(t, b.config(nil)), "trafficroutings": b.routings(t).PlanErrors(t, b.routing(nil)),
	} {
		if !strings.Contains(said, "OpenKruise Rollouts is not installed") || strings.Contains(said, "ERROR") || !strings.Contains(said, what) {
			t.Errorf("the plan says %s", said)
		}
	}
}
