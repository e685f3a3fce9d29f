package deployment_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/deployment"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/short"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// revision is the pod_revision of a party; 0 if it is not known.
func revision(state crudtest.State, key string) int64 {
	return revisionIn(state.Value, key)
}

func revisionIn(value definition.Value, key string) int64 {
	n, _ := definition.NumberOf(definition.FieldsOf(definition.FieldsOf(definition.FieldsOf(value)["parties"])[key])["pod_revision"])
	return n
}

// ofBoth is a deployment of alice and bob.
func (b *bench) ofBoth(with, alice, bob tree) definition.Value {
	image := tree{"app_image": b.name, "replicas": int64(1)}
	out := tree{"name": b.name, "initiator": "alice", "parties": tree{"alice": merged(image, alice), "bob": merged(image, bob)}}
	return deployment.Definition.Encode(merged(out, with))
}

// templates are the pod templates of the parties.
func (b *bench) templates() map[string]string {
	b.t.Helper()
	all := map[string]string{}
	for _, domain := range []string{"alice", "bob"} {
		text, err := json.Marshal(at(b.Get(acctest.KubeDeployments, domain, b.name), "spec", "template"))
		protocol.NoError(b.t, err)
		all[domain] = string(text)
	}
	return all
}

// hasTag and hasResources change an app image as another client does.
func (b *bench) hasTag(appImage, tag string) {
	b.Patch(acctest.KubeAppImages, "", appImage, types.MergePatchType, `{"spec":{"image":{"tag":"`+tag+`"}}}`)
}

func (b *bench) hasResources(appImage, resources string) {
	b.Patch(acctest.KubeAppImages, "", appImage, types.JSONPatchType, `[{"op":"add","path":"/spec/deployTemplates/0/spec/containers/0/resources","value":`+resources+`}]`)
}

// hasText reports whether the pods of a Deployment get a configuration.
func hasText(text string) func(*unstructured.Unstructured) bool {
	quoted, _ := json.Marshal(text)
	return func(d *unstructured.Unstructured) bool {
		template, _ := json.Marshal(at(d, "spec", "template"))
		return strings.Contains(string(template), string(quoted))
	}
}

// image is the app image of the deployment, as the KusciaAPI has it.
func (b *bench) image(tag string) *kuscia.AppImage {
	return &kuscia.AppImage{Name: b.name, Image: kuscia.AppImageInfo{Name: "example/app", Tag: tag}, DeployTemplates: []kuscia.DeployTemplate{{Containers: []kuscia.Container{{Name: "main"}}}}}
}

// TestPodRevision: pod_revision rises in the plan exactly for the parties whose pods the apply
// replaces.
func TestPodRevision(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	limits := func(cpu string) tree {
		return tree{"containers": tree{"main": tree{"limits": map[string]string{"cpu": cpu}}}}
	}
	hidden := func(text string, version int64) tree {
		return tree{"input_config_wo": text, "input_config_wo_version": version}
	}
	const unknown = 0
	steps := []struct {
		name             string
		before           func()
		with, alice, bob tree
		// planned and applied are those of alice and bob.
		planned, applied [2]int64
	}{
		{name: "create", planned: [2]int64{1, 1}, applied: [2]int64{1, 1}},
		{name: "scaled", alice: tree{"replicas": int64(2)}, planned: [2]int64{1, 1}, applied: [2]int64{1, 1}},
		{name: "configuration", with: tree{"input_config": `{"a":1}`}, planned: [2]int64{2, 2}, applied: [2]int64{2, 2}},
		{
			name: "configuration spelled differently by another client", with: tree{"input_config": `{"a":1}`}, alice: tree{"replicas": int64(2)},
			before: func() {
				b.Patch(acctest.KubeKusciaDeployments, acctest.KubeNamespace, b.name, types.MergePatchType, `{"spec":{"inputConfig":"{ \"a\": 1 }"}}`)
				b.Eventually(acctest.KubeDeployments, "bob", b.name, "has the text", hasText(`{ "a": 1 }`))
			},
			planned: [2]int64{2, 2}, applied: [2]int64{2, 2},
		},
		{name: "resources", with: tree{"input_config": `{"a":1}`}, alice: limits("1"), planned: [2]int64{3, 2}, applied: [2]int64{3, 2}},
		{name: "resources spelled differently", with: tree{"input_config": `{"a":1}`, "labels": map[string]string{"a": "1"}}, alice: limits("1000m"), planned: [2]int64{3, 2}, applied: [2]int64{3, 2}},
		{name: "another app image", with: tree{"input_config": `{"a":1}`}, alice: limits("1"), bob: tree{"app_image": b.name + "-v2"}, planned: [2]int64{3, unknown}, applied: [2]int64{3, 3}},
		{
			name: "app image changed, and only the other party scales", with: tree{"input_config": `{"a":1}`}, alice: limits("1"), bob: tree{"app_image": b.name + "-v2", "replicas": int64(2)},
			before:  func() { b.hasTag(b.name, "v9") },
			planned: [2]int64{4, 3}, applied: [2]int64{4, 3},
		},
		{name: "another form of the same text", with: hidden(`{"a": 1}`, 1), alice: limits("1"), bob: tree{"app_image": b.name + "-v2"}, planned: [2]int64{unknown, unknown}, applied: [2]int64{4, 3}},
		{name: "another secret text", with: hidden(`{"a": 2}`, 2), alice: limits("1"), bob: tree{"app_image": b.name + "-v2"}, planned: [2]int64{unknown, unknown}, applied: [2]int64{5, 4}},
	}
	state := b.None()
	for _, step := range steps {
		if step.before != nil {
			step.before()
		}
		b.again(t)
		if !state.Value.IsNull() {
			_, state = b.Read(t, state)
		}
		with := merged(tree{"force_conflicts": true}, step.with)
		config := b.ofBoth(with, step.alice, step.bob)
		_, planned := b.Plan(t, config, state)
		before := map[string]string{}
		if !state.Value.IsNull() {
			before = b.templates()
		}
		was := [2]int64{revision(state, "alice"), revision(state, "bob")}
		state, _ = b.ApplyAndVerify(t, config, state)
		now := b.templates()
		for i, key := range []string{"alice", "bob"} {
			if got := revisionIn(planned, key); got != step.planned[i] {
				t.Errorf("%s: the plan has %d for %s, want %d", step.name, got, key, step.planned[i])
			}
			if got := revision(state, key); got != step.applied[i] {
				t.Errorf("%s: the state has %d for %s, want %d", step.name, got, key, step.applied[i])
			}
			if replaced := now[key] != before[key]; replaced != (revision(state, key) > was[i]) {
				t.Errorf("%s: the pods of %s are new: %t", step.name, key, replaced)
			}
		}
	}
	renamed := deployment.Definition.Encode(merged(tree{"name": b.name, "initiator": "alice", "parties": tree{
		"first": merged(tree{"domain_id": "alice", "app_image": b.name, "replicas": int64(1)}, limits("1")),
		"bob":   tree{"app_image": b.name + "-v2", "replicas": int64(1)},
	}, "force_conflicts": true}, hidden(`{"a": 2}`, 2)))
	if state, _ = b.ApplyAndVerify(t, renamed, state); revision(state, "first") != 5 || revision(state, "bob") != 4 {
		t.Errorf("with another key the state is %s", state.Value)
	}
	if imported := b.Imported(t, b.name); revision(imported, "alice") != 1 || revision(imported, "bob") != 1 {
		t.Errorf("the imported state is %s", imported.Value)
	}
}

// edit is a random change of a deployment and of its app images.
type edit struct {
	with, alice, bob tree
	// tags and memory are what the app images get, by the suffix of their names; "" is nothing.
	tags, memory map[string]string
}

var edits = rapid.Custom(func(t *rapid.T) edit {
	suffix := rapid.SampledFrom([]string{"", "-v2"})
	party := func() tree {
		p := tree{"app_image": suffix.Draw(t, "app image"), "replicas": rapid.Int64Range(0, 2).Draw(t, "replicas")}
		if cpu := rapid.SampledFrom([]string{"", "1", "1000m", "2"}).Draw(t, "cpu"); cpu != "" {
			p["containers"] = tree{"main": tree{"limits": map[string]string{"cpu": cpu}}}
		}
		return p
	}
	e := edit{with: tree{"input_config": rapid.SampledFrom([]string{`{"a":1}`, `{ "a": 1 }`, `{"a":2}`}).Draw(t, "text")}, alice: party(), bob: party()}
	if rapid.Bool().Draw(t, "labelled") {
		e.with["labels"] = map[string]string{"a": "1"}
	}
	some := func(values ...string) map[string]string {
		return rapid.MapOfN(suffix, rapid.SampledFrom(values), 0, 1).Draw(t, "app images")
	}
	e.tags, e.memory = some("v1", "v2", "v3"), some("1Mi", "2Mi")
	return e
})

// TestPropertyPodRevision: an apply replaces the pods of a party if and only if its pod_revision
// rises, for random changes of a deployment and of its app images.
func TestPropertyPodRevision(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state := b.None()
	for i := range short.Count(12, 400) {
		e := edits.Example(i)
		for suffix, tag := range e.tags {
			b.hasTag(b.name+suffix, tag)
		}
		for suffix, memory := range e.memory {
			b.hasResources(b.name+suffix, `{"requests":{"memory":"`+memory+`"}}`)
		}
		for _, party := range []tree{e.alice, e.bob} {
			party["app_image"] = b.name + fmt.Sprint(party["app_image"])
		}
		config := b.ofBoth(merged(tree{"force_conflicts": true}, e.with), e.alice, e.bob)
		b.again(t)
		before, prior := map[string]string{}, state
		if !state.Value.IsNull() {
			_, prior = b.Read(t, state)
			before = b.templates()
		}
		_, planned := b.Plan(t, config, prior)
		if state = prior; planned.Equal(prior.Value) { // a CLI applies nothing
			continue
		}
		state, _ = b.ApplyAndVerify(t, config, prior)
		now := b.templates()
		for _, key := range []string{"alice", "bob"} {
			rises := revision(state, key) - revision(prior, key)
			if replaced := now[key] != before[key]; rises < 0 || rises > 1 || replaced != (rises == 1) {
				t.Fatalf("edit %d: the pods of %s are new: %t, its pod_revision is %d after %d;\nbefore %s\nnow    %s", i, key, replaced, revision(state, key), revision(prior, key), before[key], now[key])
			}
		}
	}
}

// TestPodRevisionOfRun: what the same run gives an app image is known in the plan.
func TestPodRevisionOfRun(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, _ := b.ApplyAndVerify(t, b.ofBoth(nil, nil, tree{"app_image": b.name + "-v2"}), b.None())
	_, state = b.Read(t, state)
	for name, test := range map[string]struct {
		tag  string
		want int64
	}{"another image": {"v3", 2}, "the same image": {"v1", 1}} {
		b.again(t)
		b.c.AppImages = run.NewAppImageCache((*kuscia.Client)(nil))
		b.c.AppImages.Store(b.name, b.image("v1"))
		b.c.AppImages.RecordPlanned(b.image(test.tag))
		_, planned := b.Plan(t, b.ofBoth(tree{"labels": map[string]string{"a": name[:3]}}, nil, tree{"app_image": b.name + "-v2"}), state)
		if got := [2]int64{revisionIn(planned, "alice"), revisionIn(planned, "bob")}; got != [2]int64{test.want, 1} {
			t.Errorf("%s: the plan has %v", name, got)
		}
	}
}
