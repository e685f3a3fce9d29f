package rollout_test

import (
	"maps"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/rollout"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

type tree = definition.Tree

const domain = "alice"

// bench is the resource kuscia_rollout with a cluster.
type bench struct {
	*crudtest.Server
	k    *acctest.Kube
	c    *run.Run
	name string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	return newBenchOn(t, acctest.NewKube(t))
}

func newBenchOn(t *testing.T, k *acctest.Kube) *bench {
	t.Helper()
	k.RequireKruise(t)
	b := &bench{k: k, name: k.Name("ro")}
	b.nextRun(t)
	k.Sweep(b.name)
	return b
}

// nextRun serves the resource in the next run of a CLI.
func (b *bench) nextRun(t *testing.T) {
	t.Helper()
	b.c = b.access()
	b.Server = crudtest.NewServer(t, rollout.Rollout, b.c)
}

// access returns a new run that plans the workload, and the Service "s", so that its plans
// do not warn that these are missing.
func (b *bench) access() *run.Run {
	c := accessTo(b.k)
	c.PlannedParties.Record(domain, b.name, "")
	c.PlannedParties.Record("bob", b.name, "")
	c.PlannedParties.Record(domain, b.name+"-other", "s")
	return c
}

// accessTo returns a run with a cluster, and nothing else.
func accessTo(k *acctest.Kube) *run.Run {
	c := run.New(clients.WithoutKuscia("none is configured"))
	c.Kubernetes = clients.Kubernetes{Open: k.Opener()}
	return c
}

// config returns a Rollout with two steps and without waiting, modified by
// with.
func (b *bench) config(with tree) definition.Value {
	out := tree{
		"namespace": domain, "name": b.name, "workload_ref": tree{"name": b.name}, "wait_for_healthy": false,
		"canary": tree{"steps": []any{tree{"replicas": "1"}, tree{"replicas": "100%"}}},
	}
	maps.Copy(out, with)
	return rollout.Rollout.Definition.Encode(out)
}

// stored returns the Rollout in the cluster.
func (b *bench) stored(t *testing.T) *unstructured.Unstructured {
	t.Helper()
	found := b.k.Get(acctest.KubeRollouts, domain, b.name)
	if found == nil {
		t.Fatalf("Rollout %s not found", b.name)
	}
	return found
}

// quiet waits until the controller has processed the Rollout and stops writing
// to it. A real controller with many Rollouts may pause for two seconds
// between two writes.
func (b *bench) quiet(t *testing.T) {
	t.Helper()
	var version string
	since, window := time.Now(), time.Second
	if b.k.Server == nil {
		window = 4 * time.Second
	}
	b.k.Eventually(acctest.KubeRollouts, domain, b.name, "left alone by its controller", func(o *unstructured.Unstructured) bool {
		phase, _, _ := unstructured.NestedString(o.Object, "status", "phase")
		if o.GetResourceVersion() != version || phase == "" {
			version, since = o.GetResourceVersion(), time.Now()
		}
		return time.Since(since) > window
	})
}

func text(state crudtest.State, name string) string {
	return definition.StringOf(definition.FieldsOf(state.Value)[name])
}

// exported is the resource.
var exported = rollout.Rollout
