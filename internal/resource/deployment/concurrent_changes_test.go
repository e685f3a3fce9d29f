package deployment_test

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// everything is a configuration with every attribute that Kuscia could rewrite,
// modified by the arguments.
func (b *bench) everything(with tree) definition.Value {
	return b.config(merged(tree{"input_config": `{"a":1}`, "labels": map[string]string{"a": "b"}}, with), tree{
		"replicas": int64(1), "update_strategy": tree{"max_surge": "100%", "max_unavailable": "0"},
		"containers": tree{"main": tree{"requests": map[string]string{"cpu": "0.1", "memory": "1024Mi"}, "limits": map[string]string{"cpu": "1.50", "memory": "2048Mi"}}},
	})
}

// TestAppliedAgain: Kuscia does not rewrite the object that the provider applies, and
// annotations that Kuscia has set survive an update.
func TestAppliedAgain(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, _ := b.ApplyAndVerify(t, b.everything(nil), b.None())
	if n := b.deployment().GetGeneration(); n != 1 {
		t.Errorf("after the create the generation is %d: Kuscia has rewritten %v", n, at(b.deployment(), "spec"))
	}
	annotations := b.deployment().GetAnnotations()
	b.ApplyAndVerify(t, b.config(tree{"input_config": `{"a":2}`, "labels": map[string]string{"a": "b"}}, nil), state)
	if now := b.deployment(); now.GetGeneration() != 2 || len(annotations) == 0 || !maps.Equal(now.GetAnnotations(), annotations) {
		t.Errorf("after an update the generation is %d, the annotations are %v, before %v", now.GetGeneration(), now.GetAnnotations(), annotations)
	}
}

// TestChangedSinceThePlan: changes by other clients between plan and write are
// not overwritten, with or without force_conflicts, whether the provider
// manages the field or not. This includes removed fields.
func TestChangedSinceThePlan(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, _ := b.ApplyAndVerify(t, b.everything(nil), b.None())
	for patch, force := range map[string]bool{
		`[{"op":"replace","path":"/metadata/labels/a","value":"hand"}]`: false, `[{"op":"remove","path":"/spec/parties/0/template/strategy"}]`: true,
	} {
		config := b.everything(tree{"labels": map[string]string{"a": "b", "c": "d"}, "force_conflicts": force})
		plan, _ := b.Plan(t, config, state)
		there := b.Patch(acctest.KubeKusciaDeployments, acctest.KubeNamespace, b.name, types.JSONPatchType, patch)
		said := crudtest.Messages(b.Change(t, config, state, plan).Diagnostics)
		if now := b.deployment(); now.GetGeneration() != there.GetGeneration() || !maps.Equal(now.GetLabels(), there.GetLabels()) || !strings.Contains(said, "nother client has changed the object since the plan") {
			t.Errorf("forced %t: %v %v, the apply says %s", force, now.GetLabels(), at(now, "spec"), said)
		}
		_, read := b.Read(t, state)
		state, _ = b.ApplyAndVerify(t, b.everything(tree{"force_conflicts": true}), read)
	}
}

// TestUpdatedByKusciaAPI: serving/update of a KusciaDeployment of the provider takes the
// parties over. The next apply that changes them names Kuscia as their manager, and
// force_conflicts takes them back.
func TestUpdatedByKusciaAPI(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	config := func(replicas int, force bool) definition.Value {
		return b.config(tree{"force_conflicts": force}, tree{"replicas": int64(replicas)})
	}
	state, _ := b.ApplyAndVerify(t, config(1, false), b.None())
	before := b.PatchAs("kuscia", acctest.KubeKusciaDeployments, acctest.KubeNamespace, b.name, types.JSONPatchType, `[
		{"op":"replace","path":"/spec/parties/0/template/replicas","value":3},
		{"op":"add","path":"/spec/parties/0/template/strategy","value":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":"25%","maxUnavailable":"25%"}}}
	]`)
	_, state = b.Read(t, state)
	after, said := b.Apply(t, config(2, false), state)
	if !after.Value.Equal(state.Value) || !strings.Contains(said, `.spec.parties is managed by "kuscia"`) || !strings.Contains(said, "force_conflicts = true") {
		t.Errorf("the apply says %s", said)
	}
	if now := b.deployment(); now.GetGeneration() != before.GetGeneration() {
		t.Errorf("the apply has written %v", at(now, "spec"))
	}
	state, said = b.ApplyAndVerify(t, config(2, true), state)
	if !complete(state) || strings.Contains(said, "ERROR") {
		t.Errorf("with force_conflicts the apply says %s", said)
	}
	b.ApplyWithoutWarnings(t, config(1, false), state)
}

// TestConfigIsMasked: an error of the last request of an update whose first one was already
// carried out does not show the configuration.
func TestConfigIsMasked(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.RequireSimulated(t, "faults")
	labeled := tree{"labels": map[string]string{"a": "1", "b": "2"}, "wait_for_rollout": false}
	state := b.ApplyWithoutWarnings(t, b.config(labeled, nil), b.None())
	const hidden = `{"password":"hunter22"}`
	b.Patch(acctest.KubeKusciaDeployments, acctest.KubeNamespace, b.name, types.MergePatchType, `{"spec":{"inputConfig":`+strconv.Quote(hidden)+`}}`)
	b.Fault(acctest.KubeFault{Verb: "patch", Resource: "kusciadeployments", Status: http.StatusUnprocessableEntity, Message: "refused: " + hidden, Times: -1})
	config := b.config(tree{"labels": map[string]string{"a": "1"}, "wait_for_rollout": false, "input_config": hidden}, nil)
	if _, said := b.Apply(t, config, state); !strings.Contains(said, "refused: ") || strings.Contains(said, "hunter22") {
		t.Errorf("the update says %s", said)
	}
}

// TestMissingObjects: a missing domain or app image is a warning in the plan
// and an error before anything is sent. A party that does not fit its app image
// is reported in the plan.
func TestMissingObjects(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	roles := b.name + "-roles"
	image := b.Get(acctest.KubeAppImages, "", b.name).DeepCopy()
	templates, _, _ := unstructured.NestedSlice(image.Object, "spec", "deployTemplates")
	templates[0].(map[string]any)["role"] = "server"
	_ = unstructured.SetNestedSlice(image.Object, templates, "spec", "deployTemplates")
	image.Object["metadata"] = map[string]any{"name": roles}
	b.Kube.Create(acctest.KubeAppImages, image)
	container := func(of string, amounts any) tree {
		return tree{"app_image": roles, "role": "server", "containers": tree{"main": tree{of: amounts}}}
	}
	second := func(domain, image string) tree {
		return tree{"parties": tree{"alice": tree{"app_image": b.name}, "second": tree{"domain_id": domain, "app_image": image}}}
	}
	for name, test := range map[string]struct {
		with, party  tree
		plan, refuse string
	}{
		"app image":              {nil, tree{"app_image": b.name + "-none"}, "WARNING: AttributeName(\"parties\").ElementKeyString(\"alice\").AttributeName(\"app_image\")", "The cluster has no app image \"" + b.name + "-none\""},
		"second app image":       {second("bob", b.name+"-none"), nil, `parties["second"].app_image`, "BuildPartyKitInfoFailed"},
		"left out role":          {nil, tree{"app_image": roles}, "", ""},
		"second domain":          {second("nope", b.name), nil, `parties["second"].domain_id`, "its status would stay empty"},
		"domain":                 {tree{"initiator": "nope"}, tree{"domain_id": "nope"}, "The cluster has no domain \"nope\"", "its status would stay empty"},
		"no role":                {nil, tree{"app_image": roles, "role": "client"}, "Missing deploy template for the role", "Missing deploy template for the role"},
		"unknown amount":         {nil, container("limits", definition.Unknown), "", ""},
		"device without a limit": {nil, container("requests", map[string]string{"nvidia.com/gpu": "1"}), "The app image has another one, or none", "needs a limit equal to the request"},
		"unknown name":           {tree{"name": definition.Unknown}, tree{"app_image": b.name + "-none"}, "The cluster has no app image", ""},
	} {
		config := b.config(test.with, test.party)
		if said := b.planSays(t, config, b.None()); !strings.Contains(said, test.plan) || (said == "") != (test.plan == "") {
			t.Errorf("%s: the plan says %s", name, said)
		}
		if test.refuse == "" {
			continue
		}
		writes := b.CountRequests()
		state, said := b.Apply(t, config, b.None())
		if !state.Value.IsNull() || !strings.Contains(said, test.refuse) || !strings.Contains(said, "ERROR") {
			t.Errorf("%s: the apply says %s", name, said)
		}
		acctest.CheckNoWrites(t, name, writes)
	}
}

// TestRetryAfterFailedPhase: Kuscia does not reconcile a deployment again that
// it has given up; an apply makes it do so.
func TestRetryAfterFailedPhase(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	service := b.Kube.Create(acctest.KubeServices, foreignService(b.name))
	state, said := b.Apply(t, b.config(nil, nil), b.None())
	if state.Value.IsNull() || complete(state) || !strings.Contains(said, "CreateServiceFailed") {
		t.Fatalf("the create says %s", said)
	}
	b.Kube.Delete(acctest.KubeServices, "alice", service.GetName())
	state, said = b.ApplyAndVerify(t, b.config(nil, nil), state)
	if said != "" || !complete(state) {
		t.Errorf("the next apply says %s", said)
	}
}

// TestDeploymentKeepsValues: the plan warns if it removes or changes a value that the
// Deployment keeps.
func TestDeploymentKeepsValues(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	config := func(initiator, appType, label string, alice tree) definition.Value {
		labels := map[string]string{"a": label}
		if appType != "" {
			labels["kuscia.secretflow/app-type"] = appType
		}
		return b.config(tree{"initiator": initiator, "labels": labels, "parties": tree{"alice": merged(tree{"app_image": b.name}, alice), "bob": tree{"app_image": b.name}}}, nil)
	}
	kept := tree{"replicas": int64(2), "update_strategy": tree{"type": "Recreate"}}
	state, _ := b.ApplyAndVerify(t, config("alice", "serving", "1", kept), b.None())
	for name, test := range map[string]struct {
		config definition.Value
		says   []string
	}{
		"removed": {config("alice", "serving", "1", nil), []string{
			"parties[\"alice\"].replicas: The Deployment of domain \"alice\" keeps its number of pods (2", "parties[\"alice\"].update_strategy: The Deployment of domain \"alice\" keeps its update strategy",
		}},
		"initiator":      {config("bob", "serving", "1", kept), []string{`AttributeName("initiator")`, "keep the initiator with which they were created"}},
		"another type":   {config("alice", "job", "1", kept), []string{"SERVING_ID"}},
		"no type":        {config("alice", "", "1", kept), []string{"SERVING_ID"}},
		"something else": {config("alice", "serving", "2", kept), nil},
	} {
		said := b.planSays(t, test.config, state)
		protocol.Says(t, name, said, test.says...)
		if test.says == nil && said != "" {
			t.Errorf("%s: the plan says %s", name, said)
		}
	}
	b.ApplyAndVerify(t, config("alice", "serving", "1", nil), state)
	d := b.Get(acctest.KubeDeployments, "alice", b.name)
	if at(d, "spec", "replicas") != int64(2) || at(d, "spec", "strategy", "type") != "Recreate" {
		t.Errorf("the Deployment has %v pods and the strategy %v", at(d, "spec", "replicas"), at(d, "spec", "strategy"))
	}
}

// TestKilledUpdate: an update whose state was not saved, because the apply was
// killed during the wait, is not complete until its pods have been observed to
// run.
func TestKilledUpdate(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.AppImage(b.name+"-broken", "example/broken", "v2", 1)
	state, _ := b.ApplyAndVerify(t, b.config(tree{"force_conflicts": true, "labels": map[string]string{"a": "1"}}, nil), b.None())
	written := func(patch string) {
		b.Patch(acctest.KubeKusciaDeployments, acctest.KubeNamespace, b.name, types.JSONPatchType, patch)
	}
	written(`[{"op":"replace","path":"/spec/parties/0/appImageRef","value":"` + b.name + `-broken"}]`)
	config := b.config(tree{"force_conflicts": true, "labels": map[string]string{"a": "1"}, "timeouts": tree{"update": b.ShortLimit()}}, tree{"app_image": b.name + "-broken"})
	_, read := b.Read(t, state)
	if complete(read) {
		t.Fatal("what nobody has seen run is complete")
	}
	if changes, _ := b.Changes(t, config, read); !slices.Contains(changes, "rollout_complete") {
		t.Errorf("the plan changes %v", changes)
	}
	read, said := b.Apply(t, config, read)
	if complete(read) || !strings.Contains(said, "still does not run") {
		t.Errorf("the apply says %s", said)
	}
	// What runs by the time of the refresh is complete, and so is what changes no pod.
	state, said = b.ApplyAndVerify(t, b.config(tree{"force_conflicts": true, "labels": map[string]string{"a": "1"}}, nil), read)
	if said != "" || !complete(state) {
		t.Errorf("going back says %s", said)
	}
	written(`[{"op":"replace","path":"/metadata/labels/a","value":"2"}]`)
	if _, read := b.Read(t, state); !complete(read) {
		t.Error("another label is not complete")
	}
	b.ApplyAndVerify(t, b.config(tree{"force_conflicts": true, "labels": map[string]string{"a": "2"}}, nil), state)
}

// TestAppImageChangedInPlace: Kuscia reads the app images again with every
// write, so an update of labels alone may apply a new image. A plan after a refresh shows it, and
// the apply waits for it; without one the apply sends nothing.
func TestAppImageChangedInPlace(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, _ := b.ApplyAndVerify(t, b.config(nil, nil), b.None())
	b.Patch(acctest.KubeAppImages, "", b.name, types.JSONPatchType, `[{"op":"replace","path":"/spec/image/name","value":"example/broken"}]`)
	config := b.config(tree{"labels": map[string]string{"a": "1"}, "timeouts": tree{"update": b.ShortLimit()}}, nil)
	if _, said := b.Apply(t, config, state); !strings.Contains(said, "App image was changed after the plan") || !strings.Contains(said, "Nothing was sent") {
		t.Errorf("without a refresh the apply says %s", said)
	}
	_, state = b.Read(t, state)
	after, said := b.Apply(t, config, state)
	if complete(after) || !strings.Contains(said, "was updated but does not run") || revision(after, "alice") != 2 {
		t.Errorf("complete %t, pod_revision %d, the apply says %s", complete(after), revision(after, "alice"), said)
	}
}
