package kubetest_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/kuscia"
)

// applied is an object of the recordings, which was applied by the manager "terraform", rewritten
// by a controller, and applied again.
type applied struct {
	*client
	title    string
	resource schema.GroupVersionResource
	content  object
	// again are the notes of the further applies, separated by semicolons. "available" is a wait.
	again string
	name  string
	notes notes
}

// notes are the recorded ones.
type notes []struct {
	Note string
	Obj  any
}

// appliedObjects are those in the recordings that a controller rewrites in different ways, or not.
// One in Kuscia's canonical form can be applied again, also with another image; a container without
// resources cannot.
func appliedObjects() []applied {
	const forced = "re-apply same (dry-run, force=false); re-apply same; available; re-apply force; available; re-apply after force"
	const changed, same = "available; re-apply force=false; image change force=false", "re-apply same force=false"
	kd := func(title, again string, more object) applied {
		return applied{title: title, resource: kusciaDeployments, content: specOf(party("alice", more)), again: again}
	}
	containers := func(one object) object {
		one["name"], one["workingDir"] = "main", "/work"
		return object{"template": object{"spec": object{"containers": []any{one}}}}
	}
	resources := object{"requests": object{"cpu": "0.1", "memory": "1024Mi"}, "limits": object{"cpu": "1000m", "memory": "2048Mi"}}
	rollout := func(title string, last, more object) applied {
		content := object{"strategy": object{"canary": object{"steps": []any{step(1, object{}), step("100%", last)}}}}
		maps.Copy(content, more)
		return applied{title: title, resource: rollouts, content: content, again: same}
	}
	return []applied{
		kd("KD minimal party", forced, nil),
		kd("KD template.replicas only", forced, object{"template": object{"replicas": 2}}),
		kd("KD non canonical quantities", forced, containers(object{"resources": resources})),
		kd("canonical: template {spec:{}}", changed, object{"template": object{"spec": object{}}}),
		kd("container without resources", changed, containers(object{})),
		rollout("RO steps with pause {} everywhere", object{}, nil),
		rollout("RO last step without pause", nil, nil),
		rollout("RO disabled:false explicit", object{}, object{"disabled": false}),
	}
}

// TestServerSideApply: which fields of an applied object are the controllers' after they have
// rewritten it: another apply conflicts, and with force it is the last one that changes anything.
func TestServerSideApply(t *testing.T) {
	t.Parallel()
	recorded := slices.Concat(read[notes](t, "4-ssa.json"), read[notes](t, "4-ssa-canonical.json"))
	for i, a := range appliedObjects() {
		t.Run(a.title, func(t *testing.T) {
			t.Parallel()
			a.client, a.name, a.notes = newClient(t), fmt.Sprint("kr-s", i), recorded
			a.appImages()
			response, got := a.apply(metav1.ApplyOptions{})
			if got == nil {
				t.Fatal(response)
			}
			a.check("generation", differences(got.GetGeneration(), 1))
			for note := range strings.SplitSeq(a.again, "; ") {
				a.expect(note)
			}
			a.delete(a.resource, a.namespace(), a.name)
		})
	}
}

func (a *applied) namespace() string {
	if a.resource == kusciaDeployments {
		return "cross-domain"
	}
	return "alice"
}

// apply applies the object, and returns the response in the form of the recording.
func (a *applied) apply(options metav1.ApplyOptions) (response []any, got *unstructured.Unstructured) {
	a.Helper()
	spec, kind := maps.Clone(a.content), "KusciaDeployment"
	if a.resource == rollouts {
		kind, spec["workloadRef"] = "Rollout", object{"apiVersion": "apps/v1", "kind": "Deployment", "name": a.name}
	}
	sent := object{"apiVersion": a.resource.GroupVersion().String(), "kind": kind, "metadata": object{"name": a.name}, "spec": spec}
	options.FieldManager = "terraform"
	got, err := a.in(a.resource, a.namespace()).Apply(a.Context(), a.name, &unstructured.Unstructured{Object: copied(a.T, sent)}, options)
	if err != nil {
		code, message := answer(err, 200)
		return []any{code, message}, nil
	}
	return []any{200, fmt.Sprint("gen ", got.GetGeneration())}, got
}

// expect applies the object until the response is that of a note: a controller rewrites it in
// between.
func (a *applied) expect(note string) {
	a.Helper()
	if note == "available" {
		a.eventually(note, func() string {
			return differences(nested(a.get(a.resource, a.namespace(), a.name), "status", "phase"), "Available")
		})
		return
	}
	options := metav1.ApplyOptions{Force: note == "re-apply force"}
	if strings.Contains(note, "dry-run") {
		options.DryRun = []string{"All"}
	}
	if strings.HasPrefix(note, "image change") {
		a.content["parties"].([]any)[0].(object)["appImageRef"] = "kr-img-v2"
	}
	for _, one := range a.notes {
		if one.Note == a.title+": "+note {
			recorded := one.Obj.([]any)
			want := []any{recorded[0], strings.ReplaceAll(recorded[2].(string), "kuscia-oracle", kuscia.Manager)}
			a.eventually(note, func() string {
				response, _ := a.apply(options)
				return differences(response, want)
			})
			return
		}
	}
	a.Fatalf("no note %q", note)
}
