package kubetest_test

import (
	"strings"
	"testing"
	"time"
)

// The status of KusciaDeployments with a failing party, and their complete
// deletion.
func TestFailures(t *testing.T) {
	t.Parallel()
	w := newClient(t)
	w.appImages()
	foo := object{"template": object{"strategy": object{"type": "Foo"}}}
	for file, parties := range map[string][]any{
		"10-f1": {party("alice", nil), party("bob", foo)},
		"10-f2": {party("alice", foo)},
		"10-f3": {party("alice", object{"appImageRef": "kr-nope"})},
		"10-f4": {party("alice", nil), party("bob", object{"appImageRef": "kr-img-broken"})},
	} {
		name := "kr-" + strings.TrimPrefix(file, "10-")
		events := read[[]event](t, file+".json")
		w.ok(w.create(kusciaDeployments, "cross-domain", kusciaDeployment(name, specOf(parties...))))
		w.eventually(file, func() string {
			status, _ := w.get(kusciaDeployments, "cross-domain", name).Object["status"].(object)
			got := object{"availableParties": 0}
			for _, field := range []string{"phase", "reason", "message", "totalParties", "availableParties"} {
				if status[field] != nil {
					got[field] = status[field]
				}
			}
			return differences(got, marked(t, events, "KD status at end"))
		})
		w.delete(kusciaDeployments, "cross-domain", name)
		w.eventually("nothing left", func() string { return w.sameChildren(name, map[string][]string{}) })
	}
}

// A failing update is visible only in the Deployment.
func TestInvisibleFailures(t *testing.T) {
	t.Parallel()
	r := series(t, "9-invisible-failures", byPartition, nil)
	replace := func(field string, value any) object {
		return object{"op": "replace", "path": "/spec/" + field, "value": value}
	}
	const image, template = "parties/0/appImageRef", "/spec/parties/0/template"
	foo := object{"op": "add", "path": template, "value": object{"strategy": object{"type": "Foo"}, "spec": object{}}}
	for _, change := range []struct {
		mark  string
		patch []any
	}{
		{"base", []any{}},
		{"11 s", []any{replace(image, "kr-img-nope")}},
		{"back", []any{replace(image, "kr-img-v1")}},
		{"26 s", []any{replace(image, "kr-img-v2"), foo}},
		{"fixed", []any{object{"op": "remove", "path": template + "/strategy"}}},
		{"initiator not a party on update", []any{replace("initiator", "bob")}},
		{"initiator back", []any{replace("initiator", "alice")}},
	} {
		if strings.HasPrefix(change.mark, "initiator not") { // Kuscia does not change the phase of a rejected update
			r.eventually("the rollout is over", func() string {
				return differences(nested(r.get(kusciaDeployments, "cross-domain", r.name), "status", "phase"), "Available")
			})
		}
		r.ok(r.patch(kusciaDeployments, "cross-domain", r.name, change.patch))
		time.Sleep(300 * time.Millisecond) // six seconds in the real cluster
		recorded, _ := marked(t, r.events, change.mark).(object)
		want := object{"phase": recorded["phase"], "image": recorded["dp_img"], "generation": recorded["dp_gen"]}
		r.eventually(change.mark, func() string {
			kd, d := r.get(kusciaDeployments, "cross-domain", r.name), r.get(deployments, "alice", r.name)
			if d == nil {
				return "there is no Deployment"
			}
			return differences(object{"phase": nested(kd, "status", "phase"), "image": deploymentSeen(d)["images"].([]any)[0], "generation": d.GetGeneration()}, want)
		})
	}
}
