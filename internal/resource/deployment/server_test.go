package deployment_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/deployment"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

type tree = definition.Tree

// served is the resource for crudtest.
type served struct{ crud.Shortcuts }

func (served) NewResource() resource.Resource { return deployment.Resource() }

// bench is the resource over the plugin protocol, alone with a cluster.
type bench struct {
	*crudtest.Server
	*cluster
	c *run.Run
}

func newBench(t *testing.T) *bench {
	t.Helper()
	return newBenchOn(t, acctest.NewKube(t))
}

func newBenchOn(t *testing.T, k *acctest.Kube) *bench {
	t.Helper()
	b := &bench{cluster: withImage(t, k)}
	b.again(t)
	return b
}

// finalizers sets the finalizers of the KusciaDeployment.
func (b *bench) finalizers(list string) {
	b.t.Helper()
	b.Patch(acctest.KubeKusciaDeployments, acctest.KubeNamespace, b.name, types.MergePatchType, `{"metadata":{"finalizers":`+list+`}}`)
}

// again is a new run of the provider. It does not look for clashes of names: tests
// request the plan of one create more than once, which Terraform does not.
func (b *bench) again(t *testing.T) {
	t.Helper()
	b.c = run.New(clients.WithoutKuscia("none is configured"))
	b.c.Kubernetes.Open = b.Opener()
	b.Server = crudtest.NewServer(t, served{deployment.Served}, b.c)
}

// config is a deployment of the party alice, changed; with is of the deployment, and
// party of its party.
func (b *bench) config(with, party tree) definition.Value {
	out := tree{"name": b.name, "initiator": "alice", "parties": tree{"alice": merged(tree{"app_image": b.name}, party)}}
	return deployment.Definition.Encode(merged(out, with))
}

var merged = protocol.With[tree]

// TestNoteChange: a Rollout and a new version of its Deployment in the same run
// are reported, in either order; other changes are not.
func TestNoteChange(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, _ := b.ApplyAndVerify(t, b.config(tree{"input_config": "{}"}, nil), b.None())
	for name, test := range map[string]struct {
		with, party tree
		changes     bool
	}{
		"image":    {tree{"input_config": "{}"}, tree{"app_image": b.name + "-v2"}, true},
		"hidden":   {tree{"input_config_wo": "{}", "input_config_wo_version": int64(1)}, nil, true},
		"replicas": {tree{"input_config": "{}"}, tree{"replicas": int64(2)}, false},
		"labels":   {tree{"input_config": "{}", "labels": map[string]string{"a": "b"}}, nil, false},
		"replaced": {tree{"input_config": "{}"}, tree{"role": "server"}, false},
	} {
		b.again(t)
		b.Plan(t, b.config(test.with, test.party), state)
		by := b.podsChangedBy()
		if (by != "") != test.changes || test.changes && by != `KusciaDeployment "`+b.name+`"` {
			t.Errorf("%s: the Rollout is told of %q", name, by)
		}
		b.again(t)
		b.podsChangedBy()
		response, _ := b.Plan(t, b.config(test.with, test.party), state)
		if said := crudtest.Messages(response.Diagnostics); strings.Contains(said, "in the same apply") != test.changes {
			t.Errorf("%s: the plan says %s", name, said)
		}
	}
}

// TestLabelsGoAtASecondTry: a removed label is removed from the object, also if
// the update had a conflict first.
func TestLabelsGoAtASecondTry(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.RequireSimulated(t, "faults")
	state, _ := b.ApplyAndVerify(t, b.config(tree{"labels": map[string]string{"a": "1", "b": "2"}}, nil), b.None())
	fewer := b.config(tree{"labels": map[string]string{"a": "1"}, "wait_for_rollout": false}, nil)
	state, _ = b.ApplyAndVerify(t, b.config(tree{"labels": map[string]string{"a": "1", "b": "2"}, "wait_for_rollout": false, "input_config": "{}"}, nil), state)
	b.Fault(acctest.KubeFault{Verb: "patch", Resource: "kusciadeployments", Status: http.StatusConflict, Times: 2})
	if _, said := b.ApplyAndVerify(t, fewer, state); said != "" {
		t.Errorf("the update says %s", said)
	}
	if labels := b.deployment().GetLabels(); len(labels) != 1 || labels["a"] != "1" {
		t.Errorf("the labels are %v", labels)
	}
}

// TestStaleReads: reads right after a create that do not have the object yet, and reads
// after an update that have the object before it, as those of a cache, neither end the wait
// nor count as another value than the planned one.
func TestStaleReads(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.RequireSimulated(t, "faults")
	b.Fault(acctest.KubeFault{Verb: "get", Resource: "kusciadeployments", Status: http.StatusNotFound, Message: "not found", Times: 5})
	state := b.ApplyWithoutWarnings(t, b.config(tree{}, nil), b.None())
	for input, waits := range map[string]bool{`{"read":"by the wait"}`: true, `{"read":"back"}`: false} {
		b.Fault(acctest.KubeFault{Verb: "get", Resource: "kusciadeployments", Body: b.deployment(), Times: 8})
		state = b.ApplyWithoutWarnings(t, b.config(tree{"input_config": input, "wait_for_rollout": waits}, nil), state)
		b.NoFaults()
		if complete := definition.FieldsOf(state.Value)["rollout_complete"]; waits && !definition.BoolOf(complete) {
			t.Errorf("with %s rollout_complete is %s", input, complete)
		}
	}
}

// TestDeleting: a KusciaDeployment that is being deleted is neither updated nor adopted,
// and no import of it is proposed. A refresh warns of it, also by the shortcut.
func TestDeleting(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, _ := b.ApplyAndVerify(t, b.config(tree{"wait_for_rollout": false}, nil), b.None())
	b.finalizers(`["example.com/hold"]`)
	b.Kube.Delete(acctest.KubeKusciaDeployments, acctest.KubeNamespace, b.name)
	writes := b.CountRequests()
	if kept, said := b.Apply(t, b.config(tree{"input_config": `{"a":1}`}, nil), state); kept.Value.IsNull() || !strings.Contains(said, "exists until its finalizers are removed. Nothing was sent") {
		t.Errorf("got diagnostics %s", said)
	}
	acctest.CheckNoWrites(t, "the refused apply", writes)
	for _, server := range []*crudtest.Server{b.Server, crudtest.NewFastServer(t, served{deployment.Served}, b.c)} {
		if response, read := server.Read(t, state); read.Value.IsNull() || !strings.Contains(crudtest.Messages(response.Diagnostics), "is being deleted") {
			t.Errorf("the refresh says %s", crudtest.Messages(response.Diagnostics))
		}
	}
	for _, b.c.AdoptExisting = range []bool{false, true} {
		none, said := b.Apply(t, b.config(nil, nil), b.None())
		if !none.Value.IsNull() || !strings.Contains(said, "KusciaDeployment is being deleted") || strings.Contains(said, "import") {
			t.Errorf("with adopt_existing %t the create says %s", b.c.AdoptExisting, said)
		}
	}
	b.finalizers(`[]`)
}

// TestUnreadablePrivate: private state that cannot be read is an error, and the state
// stays.
func TestUnreadablePrivate(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state := b.ApplyWithoutWarnings(t, b.config(tree{"wait_for_rollout": false}, nil), b.None())
	errors := map[string]string{}
	for _, damaged := range []string{`{"rollout":"MQ=="}`, `{"imported":"MQ=="}`} { // 1 in both
		state.Private = []byte(damaged)
		read, _ := b.Read(t, state)
		errors["read of "+damaged] = crudtest.Messages(read.Diagnostics)
		errors["plan of "+damaged] = b.planSays(t, b.config(tree{"input_config": "{}"}, nil), state)
	}
	kept, deleted := b.Server.Delete(t, state)
	errors["delete"] = deleted
	for name, said := range errors {
		if !strings.Contains(said, "ERROR") || !strings.Contains(said, "Unable to read private state") || !strings.Contains(said, "import it again") {
			t.Errorf("%s says %s", name, said)
		}
	}
	if kept.Value.IsNull() || b.deployment() == nil {
		t.Error("the deployment is deleted")
	}
}
