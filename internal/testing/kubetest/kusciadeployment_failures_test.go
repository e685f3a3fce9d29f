package kubetest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest/kuscia"
)

// marked is the recorded state at a mark.
func marked(t *testing.T, events []event, mark string) any {
	t.Helper()
	for _, e := range events {
		if e.Mark == mark {
			return e.Obj
		}
	}
	t.Fatalf("no mark %q", mark)
	return nil
}

// The status of KusciaDeployments with a failing party, and their complete
// deletion.
func TestFailures(t *testing.T) {
	t.Parallel()
	w := newClient(t)
	w.appImages()
	count := tally{t: t}
	foo := object{"template": object{"strategy": object{"type": "Foo"}}}
	for file, parties := range map[string][]any{
		"10-f1": {party("alice", nil), party("bob", foo)},
		"10-f2": {party("alice", foo)},
		"10-f3": {party("alice", object{"appImageRef": "kr-nope"})},
		"10-f4": {party("alice", nil), party("bob", object{"appImageRef": "kr-img-broken"})},
	} {
		name := "kr-" + strings.TrimPrefix(file, "10-")
		events := read[[]event](t, file+".json")
		if code, message := w.create(kusciaDeployments, "cross-domain", kusciaDeployment(name, specOf(parties...))); code != 201 {
			t.Fatal(message)
		}
		problem := ""
		for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(pollEvery) {
			status, _ := w.get(kusciaDeployments, "cross-domain", name).Object["status"].(object)
			got := object{}
			for _, field := range []string{"phase", "reason", "message", "totalParties", "availableParties"} {
				got[field] = status[field]
			}
			if got["availableParties"] == nil {
				got["availableParties"] = 0
			}
			if problem = differences(got, marked(t, events, "KD status at end")); problem == "" {
				break
			}
		}
		count.check(file, problem)
		w.delete(kusciaDeployments, "cross-domain", name)
		w.eventually("nothing left", func() string { return w.sameChildren(name, map[string][]string{}) })
	}
	count.print()
}

// A failing update is visible only in the Deployment.
func TestInvisibleFailures(t *testing.T) {
	t.Parallel()
	r := series(t, "9-invisible-failures", byPartition, nil)
	for _, change := range []struct {
		mark   string
		change func()
	}{
		{"base", func() {}},
		{"11 s", func() { r.setImage("nope") }},
		{"back", func() { r.setImage("v1") }},
		{"26 s", func() {
			if code, message := r.patch(kusciaDeployments, "cross-domain", r.name, []any{
				object{"op": "replace", "path": "/spec/parties/0/appImageRef", "value": "kr-img-v2"},
				object{"op": "add", "path": "/spec/parties/0/template", "value": object{"strategy": object{"type": "Foo"}, "spec": object{}}},
			}); code != 200 {
				r.Fatal(message)
			}
		}},
		{"fixed", func() { r.change("remove", "/spec/parties/0/template/strategy", nil) }},
		{"initiator not a party on update", func() {
			// Kuscia does not change the phase of a rejected update.
			r.eventually("the rollout is over", func() string {
				return differences(nested(r.get(kusciaDeployments, "cross-domain", r.name), "status", "phase"), "Available")
			})
			r.change("replace", "/spec/initiator", "bob")
		}},
		{"initiator back", func() { r.change("replace", "/spec/initiator", "alice") }},
	} {
		change.change()
		time.Sleep(300 * time.Millisecond) // six seconds in the real cluster
		recorded, _ := marked(t, r.events, change.mark).(object)
		want := object{"phase": recorded["phase"], "image": recorded["dp_img"], "generation": recorded["dp_gen"]}
		problem := ""
		for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(pollEvery) {
			kd, d := r.get(kusciaDeployments, "cross-domain", r.name), r.get(deployments, "alice", r.name)
			if problem = "there is no Deployment"; d == nil {
				continue
			}
			problem = differences(object{"phase": nested(kd, "status", "phase"), "image": deploymentSeen(d)["images"].([]any)[0], "generation": d.GetGeneration()}, want)
			if problem == "" {
				break
			}
		}
		r.count.check(change.mark, problem)
	}
}

// An object applied in Kuscia's canonical form can be applied again; a
// container without resources cannot.
func TestAppliedAgain(t *testing.T) {
	t.Parallel()
	w := newClient(t)
	w.appImages()
	count := tally{t: t}
	type note struct {
		Note string
		Obj  []any
	}
	notes := read[[]note](t, "4-ssa-canonical.json")
	container := func(more object) []any {
		one := object{"name": "main", "workingDir": "/work"}
		for name, value := range more {
			one[name] = value
		}
		return []any{one}
	}
	resources := object{"resources": object{"requests": object{"cpu": "100m", "memory": "1Gi"}, "limits": object{"cpu": "1", "memory": "2Gi"}}}
	empty := object{"template": object{"spec": object{}}}
	for i, c := range []struct {
		title   string
		parties []any
	}{
		{"canonical: template {spec:{}}", []any{party("alice", empty)}},
		{"canonical with replicas+resources", []any{party("alice", object{"template": object{"replicas": 2, "spec": object{"containers": container(resources)}}})}},
		{"container without resources", []any{party("alice", object{"template": object{"spec": object{"containers": container(nil)}}})}},
		{"canonical two parties", []any{party("alice", empty), party("bob", empty)}},
	} {
		name := fmt.Sprint("kr-ssa-", i)
		apply := func(image string) []any {
			spec := specOf(c.parties...)
			for _, one := range c.parties {
				one.(object)["appImageRef"] = image
			}
			text, _ := json.Marshal(kusciaDeployment(name, spec))
			sent := &unstructured.Unstructured{}
			if err := json.Unmarshal(text, &sent.Object); err != nil {
				t.Fatal(err)
			}
			got, err := w.in(kusciaDeployments, "cross-domain").Apply(t.Context(), name, sent, metav1.ApplyOptions{FieldManager: "terraform"})
			if err != nil {
				code, message := answer(err, 200)
				return []any{code, message}
			}
			return []any{200, fmt.Sprint("gen ", got.GetGeneration())}
		}
		recorded := func(what string) []any {
			for _, n := range notes {
				if n.Note == c.title+": "+what {
					if n.Obj[0] == 409.0 {
						return []any{409, strings.ReplaceAll(n.Obj[2].(string), "kuscia-oracle", kuscia.Manager)}
					}
					return []any{200, n.Obj[2]}
				}
			}
			t.Fatalf("no note %q", what)
			return nil
		}
		apply("kr-img-v1")
		w.eventually("available", func() string {
			if kd := w.get(kusciaDeployments, "cross-domain", name); kd == nil || nested(kd, "status", "phase") != "Available" {
				return "not yet"
			}
			return ""
		})
		version := w.get(kusciaDeployments, "cross-domain", name).GetResourceVersion()
		count.check(c.title+": re-apply", differences(apply("kr-img-v1"), recorded("re-apply force=false")))
		problem := ""
		if now := w.get(kusciaDeployments, "cross-domain", name).GetResourceVersion(); now != version {
			problem = "another version"
		}
		count.check(c.title+": version", problem)
		count.check(c.title+": image change", differences(apply("kr-img-v2"), recorded("image change force=false")))
		w.delete(kusciaDeployments, "cross-domain", name)
	}
	count.print()
}
