package kubetest_test

import (
	"encoding/json"
	"fmt"
	"slices"
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
	metadata object
}

// notes are the recorded ones, from the first with the title on.
type notes []struct {
	Note string
	Obj  any
}

// of returns the first note with a name after the one with the title; "" if there is
// none before the next title.
func (n notes) of(t *testing.T, title, name string) any {
	t.Helper()
	begun := false
	for _, one := range n {
		here := strings.HasPrefix(one.Note, title+": ")
		begun = begun || here
		if begun && (one.Note == title+": "+name || one.Note == name) {
			return one.Obj
		}
		if begun && !here && strings.HasSuffix(one.Note, ": apply") {
			break
		}
	}
	t.Fatalf("no note %q of %q", name, title)
	return nil
}

func kdPart(title string, more, metadata object) applied {
	return applied{"KD " + title, kusciaDeployments, specOf(party("alice", more)), metadata}
}

func rolloutPart(title string, spec, metadata object) applied {
	return applied{"RO " + title, rollouts, spec, metadata}
}

// appliedObjects are the objects in the recording.
func appliedObjects() []applied {
	resources := func(cpu, memory, mostCPU, mostMemory string) object {
		return object{"spec": object{"containers": []any{object{"name": "main", "workingDir": "/work", "resources": object{
			"requests": object{"cpu": cpu, "memory": memory}, "limits": object{"cpu": mostCPU, "memory": mostMemory},
		}}}}}
	}
	own := object{"labels": object{"my": "l"}, "annotations": object{"my/a": "1"}}
	first, all := object{"replicas": 1, "pause": object{}}, object{"replicas": "100%", "pause": object{}}
	canary := func(more object, steps ...any) object {
		style := object{"steps": steps}
		for name, value := range more {
			style[name] = value
		}
		return object{"strategy": object{"canary": style}}
	}
	disabled := canary(nil, first, all)
	disabled["disabled"] = false
	flags := canary(object{"enableExtraWorkloadForCanary": false, "disableGenerateCanaryService": false}, first, all)
	return []applied{
		kdPart("minimal party", nil, nil),
		kdPart("template {}", object{"template": object{}}, nil),
		kdPart("template.replicas only", object{"template": object{"replicas": 2}}, nil),
		kdPart("full canonical", object{"role": "", "template": resources("100m", "1Gi", "1", "2Gi")}, nil),
		kdPart("non canonical quantities", object{"template": resources("0.1", "1024Mi", "1000m", "2048Mi")}, nil),
		kdPart("strategy {type} only", object{"template": object{"strategy": object{"type": "RollingUpdate"}}}, nil),
		kdPart("strategy maxSurge only", object{"template": object{"strategy": object{"type": "RollingUpdate", "rollingUpdate": object{"maxSurge": "50%"}}}}, nil),
		kdPart("with labels/annotations", nil, own),
		rolloutPart("steps with pause {} everywhere", canary(nil, first, all), nil),
		rolloutPart("last step without pause", canary(nil, first, object{"replicas": "100%"}), nil),
		rolloutPart("disabled:false explicit", disabled, nil),
		rolloutPart("traffic defaults", canary(object{"trafficRoutings": []any{object{"service": "s", "ingress": object{"name": "i"}}}},
			first, object{"replicas": "50%", "pause": object{}, "matches": []any{object{"headers": []any{object{"name": "h", "value": "v"}}, "path": object{}}}}), nil),
		rolloutPart("blueGreen, int-as-string failureThreshold", object{"strategy": object{"blueGreen": object{"failureThreshold": "20%", "steps": []any{first, all}}}}, nil),
		rolloutPart("paused:false, canary flags false explicit, labels/annotations", flags, own),
	}
}

// TestServerSideApply: how the API server completes an applied object, how the
// controllers rewrite it, and which fields are theirs then: another apply conflicts, and
// with force it is the last one that changes anything.
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
		a := &applying{client: w, applied: kdPart("", one, nil), name: fmt.Sprint("kr-ssa-", len(title)), notes: recorded}
		a.title = title
		a.apply(metav1.ApplyOptions{})
		a.available()
		response, _ := a.apply(metav1.ApplyOptions{})
		a.expect("re-apply force=false", response)
		a.content["parties"].([]any)[0].(object)["appImageRef"] = "kr-img-v2"
		response, _ = a.apply(metav1.ApplyOptions{})
		a.expect("image change force=false", response)
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
	metadata := object{"name": a.name}
	for name, value := range a.metadata {
		metadata[name] = value
	}
	spec, kind := object{}, "KusciaDeployment"
	for name, value := range a.content {
		spec[name] = value
	}
	if a.resource == rollouts {
		kind, spec["workloadRef"] = "Rollout", object{"apiVersion": "apps/v1", "kind": "Deployment", "name": a.name}
	}
	return &unstructured.Unstructured{Object: copied(a.T, object{"apiVersion": a.resource.GroupVersion().String(), "kind": kind, "metadata": metadata, "spec": spec})}
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

// expect checks a response against a recorded one.
func (a *applying) expect(name string, response []any) {
	a.Helper()
	recorded := a.notes.of(a.T, a.title, name).([]any)
	want := []any{recorded[0], recorded[2]}
	if recorded[0] == 409.0 {
		want[1] = withManager(recorded[2].(string))
	}
	a.check(name, differences(response, want))
}

// withManager replaces the name of Kuscia's binary in the recordings.
func withManager(text string) string {
	return strings.ReplaceAll(text, "kuscia-oracle", kuscia.Manager)
}

func (a *applying) play() {
	a.Helper()
	returned, later := "diff sent->returned", "diff sent->after 2 s"
	if a.resource == kusciaDeployments {
		returned, later = "diff sent->returned by apply", "diff sent->spec after 4 s"
	}
	response, got := a.apply(metav1.ApplyOptions{})
	if got == nil {
		a.Fatal(response)
	}
	a.check("generation", differences(got.GetGeneration(), 1))
	a.check(returned, differences(a.changesOf(got), a.notes.of(a.T, a.title, returned)))
	a.eventually("rewritten", func() string {
		return differences(a.changesOf(a.get(a.resource, a.namespace(), a.name)), a.notes.of(a.T, a.title, later))
	})
	a.again()
}

// again applies the object again, with force if it conflicts.
func (a *applying) again() {
	a.Helper()
	if a.resource == rollouts {
		response, _ := a.apply(metav1.ApplyOptions{})
		a.expect("re-apply same force=false", response)
		return
	}
	for name, options := range map[string]metav1.ApplyOptions{"re-apply same (dry-run, force=false)": {DryRun: []string{"All"}}, "re-apply same": {}} {
		response, _ := a.apply(options)
		a.expect(name, response)
	}
	response, forced := a.apply(metav1.ApplyOptions{Force: true})
	a.expect("re-apply force", response)
	a.available()
	a.check("2 s after force: diff", differences(a.changesOf(a.get(a.resource, a.namespace(), a.name)), a.notes.of(a.T, a.title, "2 s after force: diff")))
	response, got := a.apply(metav1.ApplyOptions{})
	a.expect("re-apply after force", response)
	if got != nil && forced != nil {
		a.check("generation after force", differences(got.GetGeneration(), forced.GetGeneration()))
	}
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

// changesOf returns the differences between the sent spec and one in the cluster, in the
// form of the recording.
func (a *applying) changesOf(now *unstructured.Unstructured) []string {
	a.Helper()
	changes := append([]string{}, changesBetween(a.sent().Object["spec"], now.Object["spec"], "")...)
	slices.Sort(changes)
	return changes
}

func changesBetween(sent, now any, at string) []string {
	var all []string
	from, isObject := sent.(object)
	to, stays := now.(object)
	if isObject && stays {
		for name, value := range from {
			if other, has := to[name]; has {
				all = append(all, changesBetween(value, other, at+"."+name)...)
			} else {
				all = append(all, "-"+at+"."+name+"="+text(value))
			}
		}
		for name, value := range to {
			if _, has := from[name]; !has {
				all = append(all, "+"+at+"."+name+"="+text(value))
			}
		}
		return all
	}
	list, isList := sent.([]any)
	other, stays := now.([]any)
	if isList && stays && len(list) == len(other) {
		for i := range list {
			all = append(all, changesBetween(list[i], other[i], fmt.Sprintf("%s[%d]", at, i))...)
		}
		return all
	}
	if text(sent) != text(now) {
		return []string{"~" + at + ": " + text(sent) + " -> " + text(now)}
	}
	return nil
}

// text is JSON with the spaces of the recording.
func text(value any) string {
	made, _ := json.Marshal(value)
	return strings.ReplaceAll(string(made), `":`, `": `)
}
