package rollout_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/rollout"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/fakecluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// routed returns a Rollout that refers to the traffic routing with the same
// name.
func (r *releases) routed(with tree) definition.Value {
	canary := tree{"traffic_routing_ref": r.name, "steps": []any{tree{"replicas": "25%"}, tree{"replicas": "50%"}, tree{"replicas": "100%"}}}
	return r.steps(merged(tree{"canary": canary}, with))
}

// TestRoutingInUse: traffic routing is not deleted during a release that uses it: the delete
// would not end before the release does. One that another client deletes is named with its
// finalizers at the time limit.
func TestRoutingInUse(t *testing.T) {
	t.Parallel()
	r := newReleases(t, nil)
	routings := r.routings(t)
	routing, _ := routings.ApplyAndVerify(t, r.routing(nil), routings.None())
	state, _ := r.ApplyAndVerify(t, r.routed(nil), r.None())
	r.paused(t)
	kept, said := routings.Delete(t, routing)
	if kept.Value.IsNull() || !strings.Contains(said, `Rollout "`+domain+"/"+r.name+`"`) || !strings.Contains(said, "Release is in progress") {
		t.Errorf("delete: got diagnostics %s", said)
	}
	remove := func(says string) {
		t.Helper()
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := rollout.TrafficRouting.API(r.c).Delete(short, crud.ID{domain, r.name}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("delete without the guard: %v", err)
		}
	}
	remove("has begun that uses it")
	if r.k.Get(acctest.KubeTrafficRoutings, domain, r.name).GetDeletionTimestamp() != nil {
		t.Error("the traffic routing has a deletion timestamp")
	}
	// A change of the reference would leave the finalizer of the release forever.
	if said := r.said(t, r.steps(nil), state); !strings.Contains(said, "traffic_routing_ref") || !strings.Contains(said, "Not possible during a release") {
		t.Errorf("a change of the reference: got diagnostics %s", said)
	}
	r.k.Delete(acctest.KubeTrafficRoutings, domain, r.name)
	remove("since Rollout \"" + r.name + "\" keeps a finalizer on it (progressing.rollouts.kruise.io/" + r.name + ") until its release")
	r.image("v1")
	r.until(t, kruise.Healthy, 0)
	if gone, said := routings.Delete(t, routing); !gone.Value.IsNull() || said != "" {
		t.Errorf("after the release, delete: got diagnostics %s", said)
	}
}

// TestRoutingWithItsRollout: a destroy of both during a release, with
// promote_on_destroy, plans without an error and deletes both.
func TestRoutingWithItsRollout(t *testing.T) {
	t.Parallel()
	r := newReleases(t, nil)
	routings := r.routings(t)
	routing, _ := routings.ApplyAndVerify(t, r.routing(nil), routings.None())
	state, _ := r.ApplyAndVerify(t, r.routed(tree{"promote_on_destroy": true}), r.None())
	r.paused(t)
	response, _ := routings.Plan(t, routings.None().Value, routing)
	if said := crudtest.Messages(response.Diagnostics); strings.Contains(said, "ERROR") || !strings.Contains(said, "Release is in progress") {
		t.Errorf("plan of the destroy: got diagnostics %s", said)
	}
	if gone, said := r.Delete(t, state); !gone.Value.IsNull() || said != "" {
		t.Errorf("delete of the Rollout: got diagnostics %s", said)
	}
	if gone, said := routings.Delete(t, routing); !gone.Value.IsNull() || said != "" {
		t.Errorf("delete: got diagnostics %s", said)
	}
}

// TestRoutingThatIsMissing: a reference to a traffic routing that does not exist, and
// traffic_routings to objects that do not exist, are warnings, because a release would wait
// for them indefinitely, unless the same run creates them.
func TestRoutingThatIsMissing(t *testing.T) {
	t.Parallel()
	r := newPlans(t)
	const missing = "Traffic routing does not exist"
	state, said := r.Apply(t, r.routed(nil), r.None())
	if strings.Count(said, missing) != 1 || strings.Contains(said, "ERROR") || !strings.Contains(said, `no traffic routing "`+r.name+`" in the namespace "alice"`) {
		t.Errorf("plan and apply: got diagnostics %s", said)
	}
	if said := r.said(t, r.routed(tree{"paused": true}), state); said != "" {
		t.Errorf("a change of something else: got diagnostics %s", said)
	}
	routes := tree{"canary": tree{"steps": fourSteps, "traffic_routings": []any{tree{"service": "missing", "gateway": tree{"http_route_name": "r"}}}}}
	const at = `WARNING: AttributeName("canary").AttributeName("traffic_routings").ElementKeyInt(0)`
	if state, said = r.Apply(t, r.steps(routes), state); !strings.Contains(said, at) || !strings.Contains(said, `no Service "missing" in the namespace "alice"`) || strings.Contains(said, "ERROR") ||
		r.k.Server != nil && !strings.Contains(said, `HTTPRoute "alice/r": the cluster does not serve "gateway.networking.k8s.io/v1beta1"`) {
		t.Errorf("traffic_routings: got diagnostics %s", said)
	}
	if said := r.said(t, r.steps(merged(routes, tree{"paused": true})), state); said != "" {
		t.Errorf("a change of something else: got diagnostics %s", said)
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

// TestNotInstalled: the plan warns if OpenKruise Rollouts is not installed in
// the cluster.
func TestNotInstalled(t *testing.T) {
	t.Parallel()
	client := fakecluster.Client(t, http.NotFoundHandler())
	c := run.New(clients.WithoutKuscia("none is configured"))
	c.Kubernetes = clients.Kubernetes{Open: func() (*kube.Client, error) { return client, nil }}
	b := &bench{Server: crudtest.NewServer(t, exported, c), c: c, name: "r"}
	const exit = "no longer exist: remove their resources from the state (terraform state rm)"
	for what, test := range map[string]struct {
		server *crudtest.Server
		config definition.Value
	}{"rollouts": {b.Server, b.config(nil)}, "trafficroutings": {b.routings(t), b.routing(nil)}} {
		if said := test.server.PlanErrors(t, test.config); !strings.Contains(said, "OpenKruise Rollouts is not installed") || strings.Contains(said, "ERROR") || !strings.Contains(said, what) {
			t.Errorf("plan: got diagnostics %s", said)
		}
		state := crudtest.State{Value: test.config}
		read, _ := test.server.Read(t, state)
		kept, said := test.server.Delete(t, state)
		if refresh := crudtest.Messages(read.Diagnostics); !strings.Contains(refresh, exit) || !strings.Contains(said, exit) || kept.Value.IsNull() {
			t.Errorf("%s, uninstalled: refresh %s, delete %s", what, refresh, said)
		}
	}
}
