package fieldstest_test

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/faults"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// imported is an imported object that has a field, with a change of it.
func (b *bench) imported(typeName, field string, cluster bool) (r *protocol.Resource, of made, changed protocol.Object, state protocol.State) {
	b.Helper()
	k := kinds[typeName]
	of = k.make(b)
	b.kube.Patch(k.resource, of.namespace, of.name, types.JSONPatchType, k.fields[field].patch)
	r = b.resource(typeName, cluster)
	state, said := r.Import(b.T, of.id)
	if state.Value.IsNull() {
		b.Fatal(said)
	}
	return r, of, protocol.With(of.config, k.update), state
}

// has reports whether the object in the cluster has the field.
func (b *bench) has(typeName, field string, of made) bool {
	b.Helper()
	text, _ := json.Marshal(b.kube.Get(kinds[typeName].resource, of.namespace, of.name))
	return strings.Contains(string(text), kinds[typeName].fields[field].text)
}

const (
	route, whiteList = "kuscia_domain_route", "sourceWhiteIPList"
	grant, mode      = "kuscia_domain_data_grant", "limit.grantMode"
)

// TestReplacedOnRequest: a replacement with -replace, of which the plan changes nothing, is refused as
// any other: it would be without its white list for a moment.
func TestReplacedOnRequest(t *testing.T) {
	t.Parallel()
	for _, cluster := range []bool{true, false} {
		b := newBench(t)
		_, of, _, state := b.imported(route, whiteList, cluster)
		replan := func(config protocol.Object) *tfprotov6.PlanResourceChangeResponse {
			r := b.resource(route, cluster)
			plan, _ := r.Plan(t, protocol.Value(r.Kind, config), state)
			if protocol.Failed(plan.Diagnostics) {
				t.Fatal(protocol.Messages(plan.Diagnostics))
			}
			second, _ := r.PlanReplacement(t, protocol.Value(r.Kind, config), plan)
			return second
		}
		if plan := replan(of.config); !protocol.Failed(plan.Diagnostics) || !strings.Contains(about(plan), whiteList) {
			t.Errorf("cluster %t: it is not refused: %s", cluster, about(plan))
		}
		allowed := protocol.With(of.config, protocol.Object{"allow_removal_of": []any{whiteList}})
		if plan := replan(allowed); protocol.Failed(plan.Diagnostics) || !strings.Contains(about(plan), whiteList) {
			t.Errorf("cluster %t: if it is allowed: %s", cluster, about(plan))
		}
	}
}

// TestLostPatch: a patch whose response is lost, or that finds another version, is made once, and the
// field is never missing.
func TestLostPatch(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]acctest.KubeFault{
		"lost after":  {Verb: "patch", Cut: acctest.KubeCutAfter},
		"lost before": {Verb: "patch", Cut: acctest.KubeCutBefore},
		"conflict":    {Verb: "patch", Status: http.StatusConflict, Message: "the object has been modified; please apply your changes to the latest version and try again"},
	} {
		for typeName, field := range map[string]string{route: whiteList, grant: mode} {
			t.Run(name+" "+typeName, func(t *testing.T) {
				t.Parallel()
				b := newBench(t)
				r, of, changed, state := b.imported(typeName, field, true)
				config := protocol.Value(r.Kind, changed)
				plan, _ := r.Plan(t, config, state)
				fault.Name = of.name
				b.kube.Fault(fault)
				response := r.Change(t, config, state, plan)
				if said := protocol.Messages(response.Diagnostics); protocol.Failed(response.Diagnostics) {
					t.Error(said)
				}
				if !b.has(typeName, field, of) {
					t.Error("the field is gone")
				}
			})
		}
	}
}

// TestKilledChange: a change that is not made leaves the object as it is, with its field.
func TestKilledChange(t *testing.T) {
	t.Parallel()
	for typeName, field := range map[string]string{route: whiteList, grant: mode} {
		b := newBench(t)
		r, of, changed, state := b.imported(typeName, field, true)
		config := protocol.Value(r.Kind, changed)
		plan, _ := r.Plan(t, config, state)
		before := b.kube.Get(kinds[typeName].resource, of.namespace, of.name)
		b.kube.Fault(acctest.KubeFault{Verb: "patch", Name: of.name, Status: http.StatusForbidden, Times: -1})
		response := r.Change(t, config, state, plan)
		after := b.kube.Get(kinds[typeName].resource, of.namespace, of.name)
		if !protocol.Failed(response.Diagnostics) || after.GetUID() != before.GetUID() || !b.has(typeName, field, of) {
			t.Errorf("%s: %s: %v", typeName, protocol.Messages(response.Diagnostics), after)
		}
		b.kube.NoFaults()
		// The next apply makes it.
		if next, said := r.Apply(t, config, state); strings.Contains(said, "ERROR") || next.Value.Equal(state.Value) || !b.has(typeName, field, of) {
			t.Errorf("%s: the next apply: %s", typeName, said)
		}
	}
}

// TestPermissions: without a permission a cluster is as good as none. The plan says which is missing.
func TestPermissions(t *testing.T) {
	t.Parallel()
	for name, verbs := range map[string][]string{"nothing": nil, "only get": {"get"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			r, of, changed, state := b.imported(route, whiteList, true)
			var rules []acctest.KubeRule
			if len(verbs) > 0 {
				rules = append(rules, acctest.KubeRule{APIGroups: []string{"kuscia.secretflow"}, Resources: []string{"clusterdomainroutes"}, Verbs: verbs})
			}
			b.kube.Limit(rules...)
			plan, _ := r.Plan(t, protocol.Value(r.Kind, changed), state)
			if said := about(plan); !protocol.Failed(plan.Diagnostics) || !strings.Contains(said, whiteList) || !strings.Contains(said, "cannot ") || !strings.Contains(said, "needs a permission") {
				t.Errorf("it is not refused: %s", said)
			}
			changed["allow_removal_of"] = []any{whiteList}
			allowed, _ := r.Plan(t, protocol.Value(r.Kind, changed), state)
			if protocol.Failed(allowed.Diagnostics) || !r.Replaces(allowed, state) {
				t.Errorf("if it is allowed: %s", about(allowed))
			}
			if !b.has(route, whiteList, of) {
				t.Error("the field is gone")
			}
		})
	}
}

// TestRemovedLimit: a limit that the configuration removes has fields that protect; the plan refuses
// it, and what the configuration itself had set goes.
func TestRemovedLimit(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	r, of, _, state := b.imported(grant, mode, true)
	unlimited := protocol.With(of.config, protocol.Object{"limit": nil})
	plan, _ := r.Plan(t, protocol.Value(r.Kind, unlimited), state)
	if !protocol.Failed(plan.Diagnostics) || !strings.Contains(about(plan), `allow_removal_of = ["limit.grantMode"]`) {
		t.Errorf("it is not refused: %s", about(plan))
	}
	described := protocol.With(of.config, protocol.Object{"description": map[string]any{"why": "audit"}, "limit": map[string]any{"use_count": 3, "initiator": "carol"}})
	state, said := r.Apply(t, protocol.Value(r.Kind, described), state)
	if said != "" || !b.has(grant, "description", of) || !b.has(grant, "limit.initiator", of) || !b.has(grant, mode, of) {
		t.Errorf("what the configuration sets is missing: %s", said)
	}
	_, said = r.Apply(t, protocol.Value(r.Kind, of.config), state)
	if said != "" || b.has(grant, "description", of) || b.has(grant, "limit.initiator", of) || !b.has(grant, mode, of) {
		t.Errorf("what the configuration removes is there, or the mode is gone: %s", said)
	}
}

// oneContainer are deploy templates with a container that has only a name.
func oneContainer(name string, replicas int) []any {
	return []any{object{"name": "app", "replicas": replicas, "containers": []any{object{"name": name}}}}
}

// TestRemovedOwner: a field goes with its owner, which the configuration removes. That is refused if
// it protects something, and otherwise a warning, also in a replacement.
func TestRemovedOwner(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		typeName, field string
		change          protocol.Object
		refused         bool
	}{
		{"kuscia_domain_data", "partitions.fields.notNullable", protocol.Object{"partition": nil}, false},
		{"kuscia_app_image", "deployTemplates.spec.containers.metricProbe", protocol.Object{"deploy_templates": oneContainer("other", 1)}, false},
		{"kuscia_app_image", "deployTemplates.spec.containers.securityContext", protocol.Object{"deploy_templates": oneContainer("other", 1)}, true},
		{grant, mode, protocol.Object{"limit": nil}, true},
	} {
		t.Run(c.field, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			r, of, _, state := b.imported(c.typeName, c.field, true)
			plan, _ := r.Plan(t, protocol.Value(r.Kind, protocol.With(of.config, c.change)), state)
			if warned, refused := named(plan, c.field); warned == c.refused || refused != c.refused || protocol.Failed(plan.Diagnostics) != c.refused {
				t.Errorf("refused: %t: %s", refused, about(plan))
			}
		})
	}
}

// TestProtectedSincePlan: what protects and was added after the plan does not go with its owner, also
// where nothing else needs the cluster.
func TestProtectedSincePlan(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	k := kinds["kuscia_app_image"]
	of := k.make(b)
	r := b.resource("kuscia_app_image", true)
	state, _ := r.Import(t, of.id)
	config := protocol.Value(r.Kind, protocol.With(of.config, protocol.Object{"deploy_templates": oneContainer("other", 1)}))
	plan, _ := r.Plan(t, config, state)
	if protocol.Failed(plan.Diagnostics) {
		t.Fatal(about(plan))
	}
	const field = "deployTemplates.spec.containers.securityContext"
	b.kube.Patch(k.resource, "", of.name, types.JSONPatchType, k.fields[field].patch)
	response := r.Change(t, config, state, plan)
	if said := protocol.Messages(response.Diagnostics); !protocol.Failed(response.Diagnostics) || !strings.Contains(withoutIndexes(said), field) || !b.has("kuscia_app_image", field, of) {
		t.Errorf("it is not refused: %s", said)
	}
}

// TestSameSpec: an update through the cluster writes what one through the KusciaAPI writes.
func TestSameSpec(t *testing.T) {
	t.Parallel()
	for typeName, field := range map[string]string{
		"kuscia_app_image": "deployTemplates.networkPolicy", grant: "signature", "kuscia_domain_data": "partitions.fields.notNullable", "kuscia_domain before v0.12": "resourceQuota",
	} {
		t.Run(typeName, func(t *testing.T) {
			t.Parallel()
			k := kinds[typeName]
			spec := func(cluster bool) string {
				b := newBenchOf(t, k.version)
				of := k.make(b)
				patch := k.fields[field].patch
				if cluster {
					b.kube.Patch(k.resource, of.namespace, of.name, types.JSONPatchType, patch)
				}
				r := b.resource(typeOf(typeName), cluster)
				state, _ := r.Import(t, of.id)
				config := protocol.With(of.config, k.update)
				if !cluster {
					r = b.resource(typeOf(typeName), false)
					state.Private = nil // nobody knows of any fields
				}
				if _, said := r.Apply(t, protocol.Value(r.Kind, config), state); strings.Contains(said, "ERROR") {
					t.Fatal(said)
				}
				if cluster {
					at, _, _ := strings.Cut(strings.TrimPrefix(patch, `[{"op": "add", "path": "`), `"`)
					b.kube.Patch(k.resource, of.namespace, of.name, types.JSONPatchType, `[{"op": "remove", "path": "`+at+`"}]`)
				}
				text, _ := json.Marshal(b.kube.Get(k.resource, of.namespace, of.name).Object["spec"])
				return strings.NewReplacer(of.namespace+`"`, `NAMESPACE"`, of.name+`"`, `NAME"`).Replace(string(text))
			}
			if through, direct := spec(true), spec(false); through != direct {
				t.Errorf("through the cluster %s\nthrough the KusciaAPI %s", through, direct)
			}
		})
	}
}

// TestRoleOfMaster: an update through the cluster has the role of the master domain, as one through
// the KusciaAPI.
func TestRoleOfMaster(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	r, of, _, state := b.imported("kuscia_domain", "interConnProtocols", true)
	config := protocol.With(of.config, protocol.Object{"role": "partner", "master_domain_id": b.domain("m")})
	next, said := r.Apply(t, protocol.Value(r.Kind, config), state)
	spec, _ := b.kube.Get(acctest.KubeDomains, "", of.name).Object["spec"].(object)
	if !strings.Contains(said, "Other role than that of the master domain") || !next.Value.Equal(state.Value) || spec["role"] != nil {
		t.Errorf("it is not refused: %s: %v", said, spec)
	}
}

// TestRemovedUnseen: an update through the KusciaAPI has removed what an imported object may have had,
// also with a cluster that does not have the object: the next change says nothing of it.
func TestRemovedUnseen(t *testing.T) {
	t.Parallel()
	b := &bench{t, acctest.NewKube(t), acctest.NewSandbox(t, sandbox.Options{})}
	const name = "elsewhere"
	config := func(replicas int, allowed ...any) protocol.Object {
		return protocol.Object{"name": name, "image": object{"name": "example/app", "tag": "1"}, "deploy_templates": oneContainer("app", replicas), "allow_removal_of": allowed}
	}
	r := b.resource("kuscia_app_image", true)
	_, said := r.Apply(t, protocol.Value(r.Kind, config(1)), r.None())
	if strings.Contains(said, "ERROR") {
		t.Fatal(said)
	}
	r = b.resource("kuscia_app_image", true)
	state, _ := r.Import(t, name)
	both := config(2, "deployTemplates.networkPolicy", "deployTemplates.spec.containers.securityContext")
	if plan, _ := r.Plan(t, protocol.Value(r.Kind, config(2)), state); !protocol.Failed(plan.Diagnostics) {
		t.Fatalf("it is not refused: %s", about(plan))
	}
	state, said = r.Apply(t, protocol.Value(r.Kind, both), state)
	if !strings.Contains(said, "may be lost") || strings.Contains(said, "ERROR") {
		t.Fatal(said)
	}
	if plan, _ := r.Plan(t, protocol.Value(r.Kind, config(3)), state); protocol.Failed(plan.Diagnostics) || about(plan) != "" {
		t.Errorf("the next change: %s", about(plan))
	}
}

// TestReadyInPlace: a change of a route in place ends when the new state is ready, and not with what
// Kuscia reports of the one before; it takes no longer than Kuscia does. A route that does not become
// ready is in the state as it was changed, and each plan says that it is not ready.
func TestReadyInPlace(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		// with is what changes, and after what the gateways report then, each after the provider has
		// seen the one before.
		with  object
		after []bool
		// says is what a wait says that does not end, and is interrupted.
		says string
	}{
		"ready again":             {after: []bool{true}},
		"not ready":               {after: []bool{false}, says: "Last seen: Failed"},
		"no gateway":              {says: "Last seen: Failed"},
		"ready, then not":         {after: []bool{false, false}, says: "Last seen: Failed"},
		"the token remains":       {with: object{"body_encryption": object{"algorithm": "AES"}}, says: "Last seen: Succeeded, which may be the state from before the update"},
		"tested once":             {with: object{"body_encryption": object{"algorithm": "AES"}}, after: []bool{true}, says: "Last seen: Succeeded, which may be the state from before the update"},
		"tested twice":            {with: object{"body_encryption": object{"algorithm": "AES"}}, after: []bool{true, true}},
		"the next token is other": {with: object{"token_config": object{"token_gen_method": "UID-RSA-GEN"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			r, of, changed, state := b.imported(route, whiteList, true)
			source, destination, _ := strings.Cut(of.id, "/")
			report := func(succeeded bool) {
				protocol.NoError(t, b.env.Sandbox.SetRouteStatus(source, destination, succeeded, "DestinationUnreachable"))
			}
			if test.with != nil {
				changed = protocol.With(of.config, test.with)
			}
			// Kuscia has seen the route, and takes nothing that is reported for older.
			copied := b.kube.Eventually(acctest.KubeRouteCopies, destination, of.name, "there", func(found *unstructured.Unstructured) bool { return found != nil })
			report(true)
			changed["wait_for_ready"], changed["timeouts"] = true, object{"update": "7s"}
			plan, _ := r.Plan(t, protocol.Value(r.Kind, changed), state)
			if warns := strings.Contains(protocol.Messages(plan.Diagnostics), "Time limit may be too short"); warns != (test.with["body_encryption"] != nil) {
				t.Errorf("the plan says %q", protocol.Messages(plan.Diagnostics))
			}
			changed["timeouts"] = object{"update": "5m"}
			plan, _ = r.Plan(t, protocol.Value(r.Kind, changed), state)
			response := b.changeWhile(r, protocol.Value(r.Kind, changed), state, plan, func(looked func(), interrupt func()) {
				b.kube.Eventually(acctest.KubeRouteCopies, destination, of.name, "changed", func(found *unstructured.Unstructured) bool {
					return found != nil && !reflect.DeepEqual(found.Object["spec"], copied.Object["spec"])
				})
				looked()
				for _, succeeded := range test.after {
					time.Sleep(1100 * time.Millisecond) // conditions have times in seconds
					report(succeeded)
					looked()
				}
				if test.says != "" {
					interrupt()
				}
			})
			said := protocol.Messages(response.Diagnostics)
			if protocol.Failed(response.Diagnostics) != (test.says != "") || !strings.Contains(said, test.says) {
				t.Error(said)
			}
			next := protocol.State{Value: protocol.Decode(r.Kind, response.NewState), Private: response.Private}
			if !b.has(route, whiteList, of) || test.with == nil && !strings.Contains(next.Value.String(), "1081") {
				t.Errorf("the state is %s", next.Value)
			}
			r = b.resource(route, true)
			read, refreshed := r.Read(t, next)
			if warns := strings.Contains(protocol.Messages(read.Diagnostics), "is not ready"); warns != (test.says != "") {
				t.Errorf("the refresh says %q", protocol.Messages(read.Diagnostics))
			}
			if _, planned := r.Plan(t, protocol.Value(r.Kind, changed), refreshed); !planned.Equal(refreshed.Value) {
				t.Errorf("the next plan is not empty: %s", planned)
			}
			if !strings.Contains(test.says, "Succeeded") {
				return
			}
			for range 2 {
				time.Sleep(1100 * time.Millisecond)
				report(true)
				read, refreshed = r.Read(t, refreshed)
			}
			if len(read.Diagnostics) > 0 {
				t.Errorf("after two tests the refresh says %q", protocol.Messages(read.Diagnostics))
			}
		})
	}
}

// changeWhile applies a plan of a route while others act. looked returns once the provider has seen the
// state as it is, or waits no longer; interrupt ends its wait.
func (b *bench) changeWhile(r *protocol.Resource, config tftypes.Value, prior protocol.State, plan *tfprotov6.PlanResourceChangeResponse, act func(looked, interrupt func())) *tfprotov6.ApplyResourceChangeResponse {
	b.Helper()
	var interrupt context.CancelFunc
	r.Context, interrupt = context.WithCancel(b.Context())
	defer interrupt()
	done := make(chan struct{})
	var response *tfprotov6.ApplyResourceChangeResponse
	go func() {
		defer close(done)
		response = r.Change(b.T, config, prior, plan)
	}()
	queries := func() int { return b.env.Sandbox.Count("/api/v1/route/query") }
	act(func() {
		// The second query from now on is of a look that has begun after now, the third after its end.
		for seen := queries(); queries() < seen+3; {
			select {
			case <-done:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}, interrupt)
	<-done
	return response
}

// TestUnknownField: a name that is no field is refused, with those that are.
func TestUnknownField(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for name, k := range kinds {
		typeName := typeOf(name)
		r := b.resource(typeName, false)
		response := r.Validate(t, protocol.Value(r.Kind, protocol.Object{"allow_removal_of": []any{"spec"}}))
		said := protocol.Messages(response.Diagnostics)
		for field := range k.fields {
			if !strings.Contains(said, "Unknown field") || !strings.Contains(said, field) {
				t.Errorf("%s: %s", typeName, said)
			}
		}
	}
}

// TestRouteTypes: another authentication of a route is a change in place like any other, which keeps
// its white list and ends with an empty plan.
func TestRouteTypes(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	r, of, _, state := b.imported(route, whiteList, true)
	before := b.kube.Get(acctest.KubeRoutes, "", of.name).GetUID()
	for _, change := range []protocol.Object{
		{"authentication_type": "None"},
		{"authentication_type": "Token", "token_config": object{"token_gen_method": "UID-RSA-GEN", "rolling_update_period": 60}},
		{"body_encryption": object{"algorithm": "AES"}},
		{"authentication_type": "None", "transit": object{"transit_method": "THIRD-DOMAIN", "domain_id": "alice"}},
		{},
	} {
		config := protocol.Value(r.Kind, protocol.With(of.config, change))
		next, said := r.Apply(t, config, state)
		if _, state = r.Read(t, next); said != "" || !b.has(route, whiteList, of) {
			t.Fatalf("%v: %s", change, said)
		}
		if _, planned := r.Plan(t, config, state); !planned.Equal(state.Value) {
			t.Errorf("%v: the next plan is not empty: %s", change, planned)
		}
	}
	if b.kube.Get(acctest.KubeRoutes, "", of.name).GetUID() != before {
		t.Error("the route was replaced")
	}
}

// TestGrantOfReplacedData: a grant that is replaced with its data would lose its fields too.
func TestGrantOfReplacedData(t *testing.T) {
	t.Parallel()
	for _, cluster := range []bool{true, false} {
		b := newBench(t)
		_, of, _, state := b.imported(grant, mode, cluster)
		var variables map[string]string
		if cluster {
			variables = b.kube.Variables()
		}
		run := b.env.Server(variables)
		data, grants := run.Resource(t, "kuscia_domain_data"), run.Resource(t, grant)
		known, _ := data.Import(t, of.namespace+"/table")
		unpartitioned := protocol.Object{"domain_id": of.namespace, "domaindata_id": "table", "name": "a.csv", "type": "table", "relative_uri": "a.csv"}
		if plan, _ := data.Plan(t, protocol.Value(data.Kind, unpartitioned), known); protocol.Failed(plan.Diagnostics) || !data.Replaces(plan, known) {
			t.Fatalf("the data are not replaced: %s", protocol.Messages(plan.Diagnostics))
		}
		plan, _ := grants.Plan(t, protocol.Value(grants.Kind, of.config), state)
		if said := about(plan); !grants.Replaces(plan, state) || !protocol.Failed(plan.Diagnostics) || !strings.Contains(said, mode) {
			t.Errorf("cluster %t: it is not refused: %s", cluster, said)
		}
	}
}

// TestTainted: the new object of a tainted one that was imported is planned without what the import
// has remembered, and is refused like any other replacement.
func TestTainted(t *testing.T) {
	t.Parallel()
	for _, cluster := range []bool{true, false} {
		b := newBench(t)
		_, of, _, state := b.imported(route, whiteList, cluster)
		r := b.resource(route, cluster) // a new run
		r.Read(t, state)
		plan, _ := r.Plan(t, protocol.Value(r.Kind, of.config), r.None())
		if said := about(plan); !protocol.Failed(plan.Diagnostics) || !strings.Contains(said, whiteList) {
			t.Errorf("cluster %t: it is not refused: %s", cluster, said)
		}
	}
}

// TestTaintedUnread: with -refresh=false nothing but the cluster shows that the new object of a tainted
// one has the place of another. Without fields there is nothing to say, and an object that may be adopted
// keeps them.
func TestTaintedUnread(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		field  string
		with   protocol.Object
		adopts bool
		fails  bool
		says   string
	}{
		"a white list": {field: whiteList, fails: true, says: whiteList},
		"allowed":      {field: whiteList, with: protocol.Object{"allow_removal_of": []any{whiteList}}, says: whiteList},
		"adopted":      {field: whiteList, adopts: true, says: "may remove"},
		"no field":     {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			k := kinds[route]
			of := k.make(b)
			if test.field != "" {
				b.kube.Patch(k.resource, of.namespace, of.name, types.JSONPatchType, k.fields[test.field].patch)
			}
			r := b.env.Server(b.kube.Variables()).Configure(t, protocol.Object{"adopt_existing": test.adopts}).Resource(t, route)
			plan, _ := r.Plan(t, protocol.Value(r.Kind, protocol.With(of.config, test.with)), r.None())
			if said := about(plan); protocol.Failed(plan.Diagnostics) != test.fails || !strings.Contains(said, test.says) || test.says == "" && said != "" {
				t.Errorf("the plan says %q", said)
			}
		})
	}
}

// TestAffinityBesidesThatOfMode: an update keeps what other clients add to the affinity of an affinity_mode.
func TestAffinityBesidesThatOfMode(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	k := kinds["kuscia_deployment"]
	of := k.make(b)
	b.kube.Patch(k.resource, of.namespace, of.name, types.JSONPatchType, inParty+`affinity", "value": {
		"podAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 7, "podAffinityTerm": {"topologyKey": "zone"}}]},
		"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "gpu", "operator": "Exists"}]}]}}
	}}]`)
	r := b.resource("kuscia_deployment", true)
	state, said := r.Import(t, of.id)
	if state.Value.IsNull() {
		t.Fatal(said)
	}
	config := protocol.Value(r.Kind, protocol.With(protocol.With(of.config, k.update), protocol.Object{"affinity_mode": "affinity"}))
	plan, _ := r.Plan(t, config, state)
	b.applied(r, config, state, plan)
	text, _ := json.Marshal(b.kube.Get(k.resource, of.namespace, of.name).Object["spec"])
	for _, want := range []string{`"weight":7`, "nodeAffinity", `{\"a\": 2}`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is not there: %s", want, text)
		}
	}
}

// TestUnknownVersion: where Kuscia does not tell its version, an update of a domain may remove its
// fields: with a cluster that has it they are kept in any case, otherwise the plan is that of a new
// Kuscia.
func TestUnknownVersion(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cluster bool
		verbs   []string
		kept    bool
	}{
		"cluster":         {true, []string{"get", "list", "patch"}, true},
		"no permission":   {true, []string{"get", "list"}, false},
		"nothing to see":  {true, nil, false},
		"without cluster": {false, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBenchOf(t, "v0.11.0b0")
			b.env.Sandbox.Inject(faults.Fault{Method: http.MethodGet, Path: "/version", Status: http.StatusNotFound, Times: -1})
			const typeName, field = "kuscia_domain before v0.12", "resourceQuota"
			k := kinds[typeName]
			of := k.make(b)
			b.kube.Patch(k.resource, "", of.name, types.JSONPatchType, k.fields[field].patch)
			if c.cluster && !c.kept {
				var rules []acctest.KubeRule
				if c.verbs != nil {
					rules = append(rules, acctest.KubeRule{APIGroups: []string{"kuscia.secretflow"}, Resources: []string{"domains"}, Verbs: c.verbs})
				}
				b.kube.Limit(rules...)
			}
			r := b.resource("kuscia_domain", c.cluster)
			state, _ := r.Import(t, of.id)
			if _, said := r.Apply(t, protocol.Value(r.Kind, protocol.With(of.config, k.update)), state); said != "" {
				t.Error(said)
			}
			if b.has(typeName, field, of) != c.kept {
				t.Errorf("it is kept: %t", !c.kept)
			}
		})
	}
}

// TestAllowedWithoutPermission: what may go is removed in the apply too, where the user may only look.
func TestAllowedWithoutPermission(t *testing.T) {
	t.Parallel()
	const typeName, field = "kuscia_app_image", "deployTemplates.spec.containers.securityContext"
	b := newBench(t)
	r, of, changed, state := b.imported(typeName, field, true)
	b.kube.Limit(acctest.KubeRule{APIGroups: []string{"kuscia.secretflow"}, Resources: []string{"appimages"}, Verbs: []string{"get"}})
	changed["allow_removal_of"] = []any{field}
	_, said := r.Apply(t, protocol.Value(r.Kind, changed), state)
	if strings.Contains(said, "ERROR") || !strings.Contains(said, "securityContext") || b.has(typeName, field, of) {
		t.Errorf("it is not removed: %s", said)
	}
}

// TestFieldOfNewerKuscia: a field that nobody knows is kept by an update, and refuses a replacement
// until allow_removal_of names it.
func TestFieldOfNewerKuscia(t *testing.T) {
	t.Parallel()
	const typeName = "kuscia_domain_data"
	server := acctest.NewKubeServer(t)
	server.Patch(kubeDefinitions, "", definitions[typeName], types.JSONPatchType,
		`[{"op": "add", "path": "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/rateLimit", "value": {"type": "string"}}]`)
	b := &bench{t, server, acctest.NewSandbox(t, sandbox.Options{})}
	server.RunServings(b.env)
	of := kinds[typeName].make(b)
	has := func() bool {
		spec, _ := server.Get(acctest.KubeData, of.namespace, of.name).Object["spec"].(object)
		return spec["rateLimit"] == "10"
	}
	for !has() { // the definition takes effect after a moment
		server.Patch(acctest.KubeData, of.namespace, of.name, types.MergePatchType, `{"spec": {"rateLimit": "10"}}`)
	}
	r := b.resource(typeName, true)
	state, _ := r.Import(t, of.id)
	state, said := r.Apply(t, protocol.Value(r.Kind, protocol.With(of.config, kinds[typeName].update)), state)
	if said != "" || !has() {
		t.Errorf("the update does not keep it: %s", said)
	}
	replaced := protocol.With(of.config, kinds[typeName].replace)
	if plan, _ := r.Plan(t, protocol.Value(r.Kind, replaced), state); !protocol.Failed(plan.Diagnostics) || !strings.Contains(about(plan), `allow_removal_of = ["rateLimit"]`) {
		t.Errorf("the replacement is not refused: %s", about(plan))
	}
	replaced["allow_removal_of"] = []any{"rateLimit"}
	if valid := r.Validate(t, protocol.Value(r.Kind, replaced)); protocol.Failed(valid.Diagnostics) {
		t.Errorf("it cannot be allowed: %s", protocol.Messages(valid.Diagnostics))
	}
	if plan, _ := r.Plan(t, protocol.Value(r.Kind, replaced), state); protocol.Failed(plan.Diagnostics) || !strings.Contains(about(plan), "rateLimit") {
		t.Errorf("if it is allowed: %s", about(plan))
	}
	for _, name := range []string{"partitions.type", "spec.rateLimit", "a b", ""} {
		if valid := r.Validate(t, protocol.Value(r.Kind, protocol.With(of.config, protocol.Object{"allow_removal_of": []any{name}}))); !protocol.Failed(valid.Diagnostics) {
			t.Errorf("%q is no error", name)
		}
	}
}
