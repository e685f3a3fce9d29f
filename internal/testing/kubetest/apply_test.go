package kubetest_test

import (
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/kuscia"
)

// applied is an object of 4-ssa, which was applied by the manager "terraform", rewritten
// by a controller, and applied again.
type applied struct {
	title    string
	resource schema.GroupVersionResource
	content  object
}

// notes are the recorded ones.
type notes []struct {
	Note string
	Obj  any
}

func (n notes) of(t *testing.T, note string) any {
	t.Helper()
	for _, one := range n {
		if one.Note == note {
			return one.Obj
		}
	}
	t.Fatalf("no note %q", note)
	return nil
}

func kdPart(title string, more object) applied {
	return applied{"KD " + title, kusciaDeployments, specOf(party("alice", more))}
}

// appliedObjects are those in the recording that a controller rewrites in different ways, or not.
func appliedObjects() []applied {
	resources := object{"requests": object{"cpu": "0.1", "memory": "1024Mi"}, "limits": object{"cpu": "1000m", "memory": "2048Mi"}}
	container := object{"name": "main", "workingDir": "/work", "resources": resources}
	first, all := object{"replicas": 1, "pause": object{}}, object{"replicas": "100%", "pause": object{}}
	canary := func(steps ...any) object { return object{"strategy": object{"canary": object{"steps": steps}}} }
	disabled := canary(first, all)
	disabled["disabled"] = false
	return []applied{
		kdPart("minimal party", nil),
		kdPart("template.replicas only", object{"template": object{"replicas": 2}}),
		kdPart("non canonical quantities", object{"template": object{"spec": object{"containers": []any{container}}}}),
		{"RO steps with pause {} everywhere", rollouts, canary(first, all)},
		{"RO last step without pause", rollouts, canary(first, object{"replicas": "100%"})},
		{"RO disabled:false explicit", rollouts, disabled},
	}
}

// TestServerSideApply: which fields of an applied object are the controllers' after they have
// rewritten it: another apply conflicts, and with force it is the last one that changes anything.
func TestServerSideApply(t *testing.T) {
	t.Parallel()
	recorded := read[notes](t, "4-ssa.json")
	for i, c := range appliedObjects() {
		t.Run(c.title, func(t *testing.T) {
			t.Parallel()
			w := newClient(t)
			w.appImages()
			a := &applying{client: w, applied: c, name: fmt.Sprint("kr-s", i), notes: recorded}
			defer a.clean()
			a.play()
		})
	}
}

// TestAppliedAgain: an object applied in Kuscia's canonical form can be applied again, also with
// another image; a container without resources cannot.
func TestAppliedAgain(t *testing.T) {
	t.Parallel()
	recorded := read[notes](t, "4-ssa-canonical.json")
	bare := object{"template": object{"spec": object{"containers": []any{object{"name": "main", "workingDir": "/work"}}}}}
	for title, one := range map[string]object{"canonical: template {spec:{}}": {"template": object{"spec": object{}}}, "container without resources": bare} {
		w := newClient(t)
		w.appImages()
		a := &applying{client: w, applied: kdPart("", one), name: fmt.Sprint("kr-ssa-", len(title)), notes: recorded}
		a.title = title
		a.apply(metav1.ApplyOptions{})
		a.available()
		a.expect("re-apply force=false", metav1.ApplyOptions{})
		a.content["parties"].([]any)[0].(object)["appImageRef"] = "kr-img-v2"
		a.expect("image change force=false", metav1.ApplyOptions{})
		a.clean()
	}
}

// applying replays one object.
type applying struct {
	*client
	applied
	name  string
	notes notes
}

func (a *applying) namespace() string {
	if a.resource == kusciaDeployments {
		return "cross-domain"
	}
	return "alice"
}

func (a *applying) sent() *unstructured.Unstructured {
	a.Helper()
	spec, kind := object{}, "KusciaDeployment"
	for name, value := range a.content {
		spec[name] = value
	}
	if a.resource == rollouts {
		kind, spec["workloadRef"] = "Rollout", object{"apiVersion": "apps/v1", "kind": "Deployment", "name": a.name}
	}
	return &unstructured.Unstructured{Object: copied(a.T, object{"apiVersion": a.resource.GroupVersion().String(), "kind": kind, "metadata": object{"name": a.name}, "spec": spec})}
}

// apply applies the object, and returns the response in the form of the recording.
func (a *applying) apply(options metav1.ApplyOptions) (response []any, got *unstructured.Unstructured) {
	a.Helper()
	options.FieldManager = "terraform"
	got, err := a.in(a.resource, a.namespace()).Apply(a.Context(), a.name, a.sent(), options)
	if err != nil {
		code, message := answer(err, 200)
		return []any{code, message}, nil
	}
	return []any{200, fmt.Sprint("gen ", got.GetGeneration())}, got
}

// expect applies the object until the response is the recorded one: a controller rewrites it in
// between.
func (a *applying) expect(name string, options metav1.ApplyOptions) {
	a.Helper()
	recorded := a.notes.of(a.T, a.title+": "+name).([]any)
	want := []any{recorded[0], strings.ReplaceAll(recorded[2].(string), "kuscia-oracle", kuscia.Manager)}
	a.eventually(name, func() string {
		response, _ := a.apply(options)
		return differences(response, want)
	})
}

// play applies the object again after it was rewritten, with force if it conflicts.
func (a *applying) play() {
	a.Helper()
	response, got := a.apply(metav1.ApplyOptions{})
	if got == nil {
		a.Fatal(response)
	}
	a.check("generation", differences(got.GetGeneration(), 1))
	if a.resource == rollouts {
		a.expect("re-apply same force=false", metav1.ApplyOptions{})
		return
	}
	a.expect("re-apply same (dry-run, force=false)", metav1.ApplyOptions{DryRun: []string{"All"}})
	a.expect("re-apply same", metav1.ApplyOptions{})
	a.available()
	a.expect("re-apply force", metav1.ApplyOptions{Force: true})
	a.available()
	a.expect("re-apply after force", metav1.ApplyOptions{})
}

func (a *applying) available() {
	a.Helper()
	a.eventually("available", func() string {
		return differences(nested(a.get(a.resource, a.namespace(), a.name), "status", "phase"), "Available")
	})
}

func (a *applying) clean() {
	a.delete(a.resource, a.namespace(), a.name)
}
