package rollout_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
)

// full returns a Rollout with every attribute of a canary.
func full() tree {
	return tree{
		"paused": true, "promote_on_destroy": true,
		"canary": tree{
			"enable_extra_workload_for_canary": true, "disable_generate_canary_service": true, "failure_threshold": "20%", "traffic_routing_ref": "routes",
			"patch_pod_template_metadata": tree{"labels": map[string]string{"a": "b"}, "annotations": map[string]string{"c": "d"}},
			"steps": []any{
				tree{
					"replicas": "25%", "traffic": "5%", "pause": tree{"duration": int64(60)},
					"matches": []any{
						tree{
							"path": tree{"type": "Exact", "value": "/a"}, "headers": []any{tree{"name": "h", "value": "v"}},
							"query_params": []any{tree{"type": "RegularExpression", "name": "q", "value": ".*"}},
						},
						tree{"path": tree{}},
					},
					"request_header_modifier": tree{"set": map[string]string{"s": "1"}, "add": map[string]string{"a": "2"}, "remove": []string{"r"}},
				},
				tree{"replicas": "100%"},
			},
			"traffic_routings": []any{tree{
				"service": "s", "grace_period_seconds": int64(10), "ingress": tree{"class_type": "nginx", "name": "i"}, "gateway": tree{"http_route_name": "g"},
				"custom_network_refs": []any{tree{"api_version": "v1", "kind": "K", "name": "n"}},
			}},
		},
	}
}

// TestLifecycle: create, import and delete of a minimal and a full configuration.
func TestLifecycle(t *testing.T) {
	t.Parallel()
	for name, with := range map[string]tree{
		"least": nil, "most": full(),
		"blue-green": {"canary": nil, "blue_green": tree{"steps": []any{tree{"replicas": "100%", "traffic": "0%"}, tree{"replicas": "100%"}}, "traffic_routing_ref": "routes"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			state, _ := b.ApplyAndVerify(t, b.config(with), b.None())
			if want := domain + "/" + b.name; text(state, "id") != want {
				t.Errorf("the id is %s, not %s", text(state, "id"), want)
			}
			imported, said := b.Import(t, domain+"/"+b.name)
			if said != "" {
				t.Error(said)
			}
			b.CheckNoDrift(t, b.config(with), imported)
			if gone, said := b.Delete(t, state); !gone.Value.IsNull() || said != "" {
				t.Errorf("delete: got diagnostics %s", said)
			}
			if b.k.Get(acctest.KubeRollouts, domain, b.name) != nil {
				t.Error("the Rollout still exists")
			}
			if _, said := b.Delete(t, state); said != "" {
				t.Errorf("a second delete: got diagnostics %s", said)
			}
			if _, read := b.Read(t, state); !read.Value.IsNull() {
				t.Errorf("read of a deleted Rollout: %s", read.Value)
			}
		})
	}
}

// TestChanges: every attribute can be changed and removed, and no update
// conflicts with fields written by the provider or the controller.
func TestChanges(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, _ := b.ApplyAndVerify(t, b.config(nil), b.None())
	green := tree{"canary": nil, "blue_green": tree{"steps": []any{tree{"replicas": "100%"}}}}
	for i, with := range []tree{
		full(), nil, green, {"paused": true}, nil,
		{"canary": tree{"steps": []any{tree{"replicas": "25%"}, tree{"replicas": "50%"}, tree{"replicas": "100%"}}}},
		{"workload_ref": tree{"name": b.name + "-other"}}, full(), {"disabled": true}, nil,
	} {
		changes, replaces := b.Changes(t, b.config(with), state)
		if len(changes) == 0 || replaces {
			t.Errorf("%d: changes %v, replaces %t", i, changes, replaces)
		}
		state, _ = b.ApplyAndVerify(t, b.config(with), state)
	}
	for _, with := range []tree{{"name": b.name + "-new"}, {"namespace": "bob"}} {
		if _, replaces := b.Changes(t, b.config(with), state); !replaces {
			t.Errorf("%v: no replacement planned", with)
		}
	}
}

// TestRename: a new name replaces the Rollout of the same workload in one apply.
func TestRename(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, _ := b.ApplyAndVerify(t, b.config(nil), b.None())
	renamed := b.config(tree{"name": b.name + "-new"})
	state, said := b.ApplyAndVerify(t, renamed, state)
	if said != "" || text(state, "name") != b.name+"-new" {
		t.Errorf("the Rollout is %s, and the apply says %s", text(state, "name"), said)
	}
	if b.k.Get(acctest.KubeRollouts, domain, b.name) != nil || b.k.Get(acctest.KubeRollouts, domain, b.name+"-new") == nil {
		t.Error("the cluster does not have the new Rollout alone")
	}
	// In another run, in which nothing replaces the Rollout, it is in the way.
	b.c = b.access()
	other := crudtest.NewServer(t, exported, b.c)
	if said := other.PlanErrors(t, b.config(nil)); !strings.Contains(said, "Workload has a Rollout") || !strings.Contains(said, "add a moved block") {
		t.Errorf("a second Rollout: the plan says %s", said)
	}
}

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
	version := b.quiet(t).GetResourceVersion()
	requests := b.k.CountRequests()
	b.CheckNoDrift(t, b.config(tree{
		"workload_ref": tree{"api_version": "apps/v1", "kind": "Deployment", "name": b.name},
		"canary": tree{
			"steps": []any{tree{"replicas": "01"}, tree{"replicas": "100%"}},
		},
	}), state)
	b.ApplyAndVerify(t, b.config(tree{
		"canary": tree{
			"steps":            []any{tree{"replicas": "1", "traffic": "", "pause": tree{}}, tree{"replicas": "100%", "matches": []any{}}},
			"traffic_routings": []any{}, "enable_extra_workload_for_canary": false,
		},
	}), state)
	if err := requests.ExpectNoWrites()(nil); err != nil {
		t.Error(err)
	}
	if now := b.stored(t).GetResourceVersion(); now != version {
		t.Errorf("the resource version is %s, was %s", now, version)
	}
}

// TestApplyAgain: a second server-side apply of the same object is a no-op.
func TestApplyAgain(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.ApplyAndVerify(t, b.config(full()), b.None())
	before := b.quiet(t)
	for _, manager := range before.GetManagedFields() {
		if manager.Manager == "terraform-provider-kuscia" && manager.Operation != "Apply" {
			t.Errorf("managedFields operation of the provider: %s", manager.Operation)
		}
	}
	again := before.DeepCopy()
	unstructured.RemoveNestedField(again.Object, "metadata")
	again.SetNamespace(domain)
	again.SetName(b.name)
	again.SetAnnotations(map[string]string{"rollouts.kruise.io/trafficrouting": "routes"})
	unstructured.RemoveNestedField(again.Object, "status")
	client, err := b.c.Kubernetes.Open()
	if err != nil {
		t.Fatal(err)
	}
	after, err := client.Apply(t.Context(), rolloutKind, again, false)
	if err != nil || after.GetResourceVersion() != before.GetResourceVersion() || after.GetGeneration() != before.GetGeneration() {
		t.Errorf("%v: version %s, was %s", err, after.GetResourceVersion(), before.GetResourceVersion())
	}
}

// drift is a field with another value.
type drift struct{ path, value string }

func (d drift) patch() string {
	return fmt.Sprintf(`[{"op":"replace","path":%q,"value":%s}]`, d.path, d.value)
}

// driftsOf returns changes by other clients to the full Rollout with this
// name, keyed by the attribute that shows them. The other workload has a name
// of its own: only one Rollout of a namespace may refer to a workload.
func driftsOf(rollout string) map[string]drift {
	return map[string]drift{
		"paused":        {"/spec/strategy/paused", "false"},
		"disabled":      {"/spec/disabled", "true"},
		"workload_ref":  {"/spec/workloadRef/name", strconv.Quote("not-" + rollout)},
		"replicas":      {"/spec/strategy/canary/steps/0/replicas", "3"},
		"traffic":       {"/spec/strategy/canary/steps/0/traffic", `"6%"`},
		"pause":         {"/spec/strategy/canary/steps/0/pause/duration", "61"},
		"path":          {"/spec/strategy/canary/steps/0/matches/0/path/value", `"/b"`},
		"header":        {"/spec/strategy/canary/steps/0/matches/0/headers/0/value", `"w"`},
		"parameter":     {"/spec/strategy/canary/steps/0/matches/0/queryParams/0/name", `"p"`},
		"set":           {"/spec/strategy/canary/steps/0/requestHeaderModifier/set/0/value", `"9"`},
		"add":           {"/spec/strategy/canary/steps/0/requestHeaderModifier/add/0/name", `"z"`},
		"removed":       {"/spec/strategy/canary/steps/0/requestHeaderModifier/remove/0", `"z"`},
		"service":       {"/spec/strategy/canary/trafficRoutings/0/service", `"t"`},
		"grace":         {"/spec/strategy/canary/trafficRoutings/0/gracePeriodSeconds", "11"},
		"ingress":       {"/spec/strategy/canary/trafficRoutings/0/ingress/name", `"j"`},
		"class":         {"/spec/strategy/canary/trafficRoutings/0/ingress/classType", `"mse"`},
		"gateway":       {"/spec/strategy/canary/trafficRoutings/0/gateway/httpRouteName", `"h"`},
		"network":       {"/spec/strategy/canary/trafficRoutings/0/customNetworkRefs/0/kind", `"L"`},
		"threshold":     {"/spec/strategy/canary/failureThreshold", "1"},
		"extra":         {"/spec/strategy/canary/enableExtraWorkloadForCanary", "false"},
		"service of it": {"/spec/strategy/canary/disableGenerateCanaryService", "false"},
		"label":         {"/spec/strategy/canary/patchPodTemplateMetadata/labels/a", `"z"`},
		"annotation":    {"/spec/strategy/canary/patchPodTemplateMetadata/annotations/c", `"z"`},
		"routing ref":   {"/metadata/annotations/rollouts.kruise.io~1trafficrouting", `"others"`},
	}
}

// TestDrift: a change by another client appears as drift of exactly that
// attribute.
func TestDrift(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, _ := b.ApplyAndVerify(t, b.config(full()), b.None())
	before, err := json.Marshal(b.quiet(t).Object["spec"])
	if err != nil {
		t.Fatal(err)
	}
	drifts := driftsOf(b.name)
	back := fmt.Sprintf(`[{"op":"replace","path":"/spec","value":%s},{"op":"replace","path":%q,"value":"routes"}]`, before, drifts["routing ref"].path)
	for name, drift := range drifts {
		b.k.Patch(acctest.KubeRollouts, domain, b.name, types.JSONPatchType, drift.patch())
		_, drifted := b.Read(t, state)
		if changes, replaces := b.Changes(t, b.config(full()), drifted); !slices.Equal(changes, []string{attributeOf(name)}) || replaces {
			t.Errorf("%s: the plan changes %v, replaces %t", name, changes, replaces)
		}
		b.k.Patch(acctest.KubeRollouts, domain, b.name, types.JSONPatchType, back)
	}
	b.CheckNoDrift(t, b.config(full()), state)
}

// attributeOf returns the top-level attribute that shows a drift.
func attributeOf(drift string) string {
	if slices.Contains([]string{"paused", "disabled", "workload_ref"}, drift) {
		return drift
	}
	return "canary"
}

// TestDriftIsTakenBack: an apply over changes of another field manager names
// that manager, and overwrites the changes with force_conflicts.
func TestDriftIsTakenBack(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, _ := b.ApplyAndVerify(t, b.config(full()), b.None())
	forced := full()
	forced["force_conflicts"] = true
	for name, drift := range acctest.Sample(t, 4, driftsOf(b.name)) {
		b.k.Patch(acctest.KubeRollouts, domain, b.name, types.JSONPatchType, drift.patch())
		_, drifted := b.Read(t, state)
		_, said := b.Apply(t, b.config(full()), drifted)
		if !strings.Contains(said, `conflict with "kubectl-edit"`) || !strings.Contains(said, "force_conflicts = true") {
			t.Errorf("%s: apply: got diagnostics %s", name, said)
		}
		state, _ = b.ApplyAndVerify(t, b.config(forced), drifted)
		state, _ = b.ApplyAndVerify(t, b.config(full()), state)
	}
}

// TestAlreadyExistsAndLostResponse: existing names, adoption, and lost responses.
func TestAlreadyExistsAndLostResponse(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.k.RequireSimulated(t, "faults")
	b.k.Fault(acctest.KubeFault{Verb: "create", Cut: acctest.KubeCutAfter})
	state, said := b.ApplyAndVerify(t, b.config(nil), b.None())
	if said != "" {
		t.Errorf("lost response: %s", said)
	}
	for _, adopt := range []bool{false, true} {
		want := map[bool]string{false: "already exists", true: "differs from the configuration in paused"}[adopt]
		b.nextRun(t)
		b.c.AdoptExisting = adopt
		if _, said := b.Apply(t, b.config(tree{"paused": true}), b.None()); !strings.Contains(said, want) || !strings.Contains(said, "terraform import kuscia_rollout.NAME "+text(state, "id")) {
			t.Errorf("adopt %t: got diagnostics %s", adopt, said)
		}
	}
	adopted, said := b.ApplyAndVerify(t, b.config(nil), b.None())
	if !strings.Contains(said, "was adopted") {
		t.Errorf("adoption: got diagnostics %s", said)
	}
	b.k.Fault(acctest.KubeFault{Verb: "patch", Cut: acctest.KubeCutAfter})
	changed, said := b.ApplyAndVerify(t, b.config(tree{"paused": true}), adopted)
	if said != "" {
		t.Errorf("lost response to an update: %s", said)
	}
	// Objects adopted in this run are not deleted, so disable adoption.
	b.c = b.access()
	b.Server = crudtest.NewServer(t, exported, b.c)
	b.k.Fault(acctest.KubeFault{Verb: "delete", Cut: acctest.KubeCutAfter})
	if gone, said := b.Delete(t, changed); !gone.Value.IsNull() || said != "" {
		t.Errorf("lost response to a delete: %s", said)
	}
}

// TestErrorsOfTheCluster: access errors are reported, and the state is kept.
func TestErrorsOfTheCluster(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.k.RequireSimulated(t, "faults")
	state, _ := b.ApplyAndVerify(t, b.config(nil), b.None())
	b.k.Limit(acctest.KubeRule{APIGroups: []string{"rollouts.kruise.io"}, Resources: []string{"rollouts"}, Verbs: []string{"list"}})
	for what, says := range map[string]func() string{
		"read":   func() string { response, _ := b.Read(t, state); return crudtest.Messages(response.Diagnostics) },
		"delete": func() string { _, said := b.Delete(t, state); return said },
		"update": func() string { _, said := b.Apply(t, b.config(tree{"paused": true}), state); return said },
	} {
		if said := says(); !strings.Contains(said, `resource "rollouts" in API group "rollouts.kruise.io" in the namespace "alice"`) || !strings.Contains(said, "lacks a permission") {
			t.Errorf("%s without permission: got diagnostics %s", what, said)
		}
	}
	none := b.access()
	none.Kubernetes.Open, none.Kubernetes.Missing = nil, "set kubernetes"
	without := crudtest.NewServer(t, exported, none)
	if said := without.PlanErrors(t, b.config(nil)); !strings.Contains(said, "Kubernetes not configured: set kubernetes") {
		t.Errorf("without access, plan: got diagnostics %s", said)
	}
	none.Kubernetes = clientsUnknown
	if said := crudtest.NewServer(t, exported, none).PlanErrors(t, b.config(nil)); said != "" {
		t.Errorf("with access that is not known yet, plan: got diagnostics %s", said)
	}
}
