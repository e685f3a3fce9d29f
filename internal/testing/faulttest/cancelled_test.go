package faulttest_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	iefsandbox "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// cancelled applies resources and presses Ctrl-C when something has happened. The errors say
// that a wait was cancelled and, as nothing is known to be wrong, nothing of time limits,
// causes and remedies.
func (t *terraform) cancelled(test *testing.T, resources []resource, happened func() bool) {
	test.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for began := time.Now(); !happened(); time.Sleep(20 * time.Millisecond) {
			if time.Since(began) > time.Minute {
				test.Error("what the wait follows has not happened")
				break
			}
		}
		time.Sleep(300 * time.Millisecond) // in the wait
		t.stop()
	}()
	o := t.applyChecked(test, resources)
	<-done
	if o.ok() {
		test.Errorf("the apply has no error: %s", o.text())
	}
	for _, p := range o.errors {
		if !strings.Contains(p.summary, "cancelled") {
			test.Errorf("%s: %s: %s", p.address, p.summary, p.detail)
		}
		for _, wrong := range []string{"time limit", "timeout", "within", "Check ", "check that", "finalizers", "(for ", "not ready"} {
			if strings.Contains(p.summary+p.detail, wrong) {
				test.Errorf("%s: it says %q: %s: %s", p.address, wrong, p.summary, p.detail)
			}
		}
	}
}

// TestCancelledWaits cancels the waits of objects of a cluster, whose controllers do nothing.
// TestInterrupt has those of servings.
func TestCancelledWaits(t *testing.T) {
	t.Parallel()
	acctest.SkipShort(t, "it takes a server of its own and many applies")
	b := newStoppedCluster(t, true)
	all := map[int][]resource{1: b.resources(1), 2: b.resources(2)}
	// only are some resources in a version.
	only := func(version int, addresses ...string) (list []resource) {
		for _, r := range all[version] {
			for _, address := range addresses {
				if r.address == address {
					list = append(list, r)
				}
			}
		}
		return list
	}
	const deployment, rollout, approval, routing = "kuscia_deployment.00", "kuscia_rollout.00", "kuscia_rollout_approval.00", "kuscia_traffic_routing.00"
	converge := func(resources []resource) {
		t.Helper()
		if o := b.terraform.applyAfterFault(t, resources); !o.ok() {
			t.Fatal(o.text())
		}
	}
	isDeleted := func(address string) bool { return b.get(address).GetDeletionTimestamp() != nil }

	b.k.StopController(acctest.KusciaController)
	b.terraform.cancelled(t, only(1, deployment), func() bool { return b.exists(deployment) })
	b.k.StartController(acctest.KusciaController)
	converge(only(1, deployment))

	b.k.StopController(acctest.KusciaController)
	b.terraform.cancelled(t, only(2, deployment), func() bool { return refersTo(b.name + "-v2")(b.get(deployment)) })
	b.k.StartController(acctest.KusciaController)
	converge(only(2, deployment))

	converge(only(1, deployment))
	converge(only(1, deployment, rollout, routing))
	converge(only(2, deployment, rollout, routing)) // a release, which pauses
	b.k.SetLag(acctest.KruiseController, time.Minute)
	b.terraform.cancelled(t, only(2, deployment, rollout, routing, approval), func() bool {
		state, _, _ := unstructured.NestedString(b.get(rollout).Object, "status", "canaryStatus", "currentStepState")
		return state == "StepReady"
	})
	b.k.SetLag(acctest.KruiseController, 0)
	b.terraform.state[approval].tainted = false // as the message says
	converge(only(2, deployment, rollout, routing, approval))

	b.k.StopController(acctest.KruiseController)
	b.terraform.cancelled(t, only(2, deployment), func() bool { return isDeleted(routing) && isDeleted(rollout) })
	b.k.StartController(acctest.KruiseController)
	converge(only(2, deployment))

	b.k.StopController(acctest.KusciaController)
	b.terraform.cancelled(t, nil, func() bool { return b.get(deployment) == nil })
	b.k.StartController(acctest.KusciaController)
}

// TestCancelledWaitsElsewhere: the same for objects of the KusciaAPI and of IEF.
func TestCancelledWaitsElsewhere(t *testing.T) {
	t.Parallel()
	edge := newEdgeTestbed(t, iefsandbox.Timing{Start: time.Hour, Remove: time.Hour})
	created := edgeConfiguration{version: "v3", images: map[string]string{"one": "app:1"}, timeout: "1m"}
	exists := func() bool { return len(edge.differences(t, created)) == 0 }
	edge.terraform.cancelled(t, created.resources(), exists)
	edge.terraform.cancelled(t, nil, func() bool {
		// It reads after the delete was accepted.
		requests := edge.server.Requests()
		deleted := slices.IndexFunc(requests, func(r iefsandbox.Request) bool { return r.Method == http.MethodDelete })
		return deleted >= 0 && len(requests) > deleted+1
	})

	// Nothing becomes ready while the clock stands still.
	b := newTestbed(t, sandbox.Options{FrozenClock: true})
	for typeName, config := range map[string]attrs{
		"kuscia_domain": {"domain_id": "dora"},
		"kuscia_domain_route": {
			"source": "alice", "destination": "bob", "authentication_type": "Token", "wait_for_ready": true,
			"endpoint":     attrs{"host": "gateway.example", "ports": []any{attrs{"name": "http", "port": 1080, "protocol": "HTTP"}}},
			"token_config": attrs{"token_gen_method": "RSA-GEN"},
		},
	} {
		b.server.ResetRequests()
		b.terraform.cancelled(t, []resource{{address: typeName + ".one", typeName: typeName, config: func(func(string, string) any) attrs { return config }}}, func() bool {
			return slices.ContainsFunc(b.server.Requests(), func(r sandbox.Request) bool { return strings.HasSuffix(operationOf(r), "/create") })
		})
		b.terraform.state = map[string]*object{}
	}
}
