package fieldstest_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

const notOfKuscia = "is not that of the KusciaAPI"

// copied makes an object of another bench in this one, by the same name and with what it needs.
func (b *bench) copied(of made, from *unstructured.Unstructured, typeName string) {
	b.Helper()
	spec, _ := from.Object["spec"].(object)
	for _, name := range []any{of.namespace, spec["source"], spec["destination"], map[bool]string{true: of.name}[from.GetKind() == "Domain"]} {
		if id, _ := name.(string); id != "" {
			protocol.NoError(b, b.env.API.CreateDomain(b.Context(), &kuscia.DomainRequest{DomainID: id}))
			b.kube.Eventually(acctest.KubeNamespaces, "", id, "there", func(found *unstructured.Unstructured) bool { return found != nil })
		}
	}
	if of.namespace != "" {
		b.data(of.namespace)
	}
	if k := kinds[typeName]; k.resource != acctest.KubeDomains && k.resource != acctest.KubeData {
		b.create(k.resource, from.GetKind(), of.namespace, of.name, spec)
	}
}

// TestOtherCluster: with the cluster of another Kuscia, which has an object of the same name, nothing
// is written to it, and the error says that it is another one. Its domains tell; to a user who may
// not list them, the object does, as far as the KusciaAPI carries it.
func TestOtherCluster(t *testing.T) {
	t.Parallel()
	server := acctest.NewKubeServer(t)
	for name, k := range kinds {
		if k.ofCluster || name == "kuscia_serving" || strings.Contains(name, "with the same") {
			continue // it is only in the cluster, or its update does not use one
		}
		for _, limited := range []bool{false, true} {
			t.Run(name+map[bool]string{true: " by its values"}[limited], func(t *testing.T) {
				t.Parallel()
				theirs := newBenchOf(t, k.version)
				of := k.make(theirs)
				ours := &bench{t, server.For(t), acctest.NewSandbox(t, sandbox.Options{Version: k.version})}
				ours.kube.RunServings(ours.env)
				ours.copied(of, theirs.kube.Get(k.resource, of.namespace, of.name), name)
				if limited {
					r := theirs.resource(typeOf(name), true)
					state, _ := r.Import(t, of.id)
					other := protocol.With(of.config, k.update)
					if _, said := r.Apply(t, protocol.Value(r.Kind, other), state); strings.Contains(said, "ERROR") {
						t.Fatal(said)
					}
					theirs.kube.Limit(acctest.KubeRule{APIGroups: []string{"kuscia.secretflow"}, Resources: []string{"*"}, Verbs: []string{"get", "patch"}})
				}
				spec := func(b *bench) string {
					text, _ := json.Marshal(b.kube.Get(k.resource, of.namespace, of.name).Object["spec"])
					return string(text)
				}
				without := ours.resource(typeOf(name), false)
				state, said := without.Import(t, of.id)
				if state.Value.IsNull() {
					t.Fatal(said)
				}
				state.Private = nil // nobody knows of any fields
				config := protocol.With(of.config, k.update)
				if name == "kuscia_domain" {
					config = protocol.With(of.config, k.fields["interConnProtocols"].update)
				}
				wrong := ours.env.Server(theirs.kube.Variables()).Resource(t, typeOf(name))
				plan, _ := wrong.Plan(t, protocol.Value(wrong.Kind, config), state)
				if said := protocol.Messages(plan.Diagnostics); !protocol.Failed(plan.Diagnostics) || !strings.Contains(said, notOfKuscia) {
					t.Errorf("the plan is not refused: %s", said)
				}
				before := []string{spec(theirs), spec(ours)} // as Kuscia's controllers have left it
				// What was planned without a cluster is refused in the apply.
				plan, _ = without.Plan(t, protocol.Value(without.Kind, config), state)
				if protocol.Failed(plan.Diagnostics) {
					t.Fatal(protocol.Messages(plan.Diagnostics))
				}
				if !without.Replaces(plan, state) {
					wrong = ours.env.Server(theirs.kube.Variables()).Resource(t, typeOf(name))
					response := wrong.Change(t, protocol.Value(wrong.Kind, config), state, plan)
					if said := protocol.Messages(response.Diagnostics); !protocol.Failed(response.Diagnostics) || !strings.Contains(said, notOfKuscia) {
						t.Errorf("the apply is not refused: %s", said)
					}
				}
				if after := []string{spec(theirs), spec(ours)}; !reflect.DeepEqual(after, before) {
					t.Errorf("it was changed: %s, before %s", after, before)
				}
			})
		}
	}
}

// TestOldRead: a cluster that shows an object once as it was before another client's change is not
// another one, in the plan and in the apply.
func TestOldRead(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	r, of, changed, _ := b.imported(route, whiteList, true)
	b.kube.Limit(acctest.KubeRule{APIGroups: []string{"kuscia.secretflow"}, Resources: []string{"clusterdomainroutes"}, Verbs: []string{"get", "patch"}})
	old := b.kube.Get(acctest.KubeRoutes, "", of.name)
	b.kube.Patch(acctest.KubeRoutes, "", of.name, types.MergePatchType, `{"spec": {"endpoint": {"host": "other.example"}}}`)
	state, _ := r.Import(t, of.id)
	stale := acctest.KubeFault{Verb: "get", Name: of.name, Body: old}
	b.kube.Fault(stale)
	config := protocol.Value(r.Kind, changed)
	plan, _ := r.Plan(t, config, state)
	protocol.Check(t, nil, plan.Diagnostics)
	b.kube.Fault(stale)
	if response := r.Change(t, config, state, plan); protocol.Failed(response.Diagnostics) || !b.has(route, whiteList, of) {
		t.Errorf("it is refused: %s", protocol.Messages(response.Diagnostics))
	}
}
