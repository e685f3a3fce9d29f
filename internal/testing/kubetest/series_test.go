package kubetest_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest"
)

// event is an entry of a recorded series: a change seen by a watch, or a mark
// for an operation, with the state at that time.
type event struct {
	T      float64
	Mark   string
	Kind   string
	Change any
	Obj    any
}

// marked is what was recorded at a mark.
func marked(t *testing.T, events []event, mark string) any {
	t.Helper()
	for _, e := range events {
		if e.Mark == mark && e.Obj != nil {
			return e.Obj
		}
	}
	t.Fatalf("no mark %q", mark)
	return nil
}

// snapshot is the state of the Rollout and its Deployments at a mark.
func snapshot(t *testing.T, events []event, mark string) object {
	t.Helper()
	for _, e := range events {
		if one, ok := e.Obj.(object); ok && e.Mark == mark && one["ro"] != nil {
			return one
		}
	}
	t.Fatalf("no snapshot %q", mark)
	return nil
}

// release is a KusciaDeployment with a release by a Rollout.
type release struct {
	*client
	name, style string
	events      []event
}

// Release styles of the recordings.
const (
	byPartition = "partition"
	byCanary    = "canary"
	byBlueGreen = "bluegreen"
)

var allStyles = []string{byPartition, byCanary, byBlueGreen}

func (r *release) sub() string {
	if r.style == byBlueGreen {
		return "blueGreenStatus"
	}
	return "canaryStatus"
}

func strategyOf(style string, steps ...any) object {
	switch style {
	case byBlueGreen:
		return object{"blueGreen": object{"steps": steps}}
	case byCanary:
		return object{"canary": object{"steps": steps, "enableExtraWorkloadForCanary": true}}
	}
	return object{"canary": object{"steps": steps}}
}

func step(replicas any, pause object) any {
	if pause == nil {
		return object{"replicas": replicas}
	}
	return object{"replicas": replicas, "pause": pause}
}

// usualSteps are the steps of most recordings.
func usualSteps() []any {
	return []any{step("25%", object{}), step("50%", object{}), step("100%", object{"duration": 2})}
}

// series creates a KusciaDeployment with image v1 and, with steps, its Rollout,
// and waits until both are healthy.
func series(t *testing.T, file, style string, party object, steps ...any) *release {
	t.Helper()
	return seriesOn(t, server, file, style, party, steps...)
}

// seriesOn is series on another server.
func seriesOn(t *testing.T, server *kubetest.Server, file, style string, party object, steps ...any) *release {
	t.Helper()
	w := newClientOn(t, server)
	w.appImages()
	r := &release{client: w, name: "kr-" + file, style: style, events: read[[]event](t, file+".json")}
	r.begin(party, steps...)
	t.Cleanup(r.remove)
	return r
}

// begin creates the KusciaDeployment and, with steps, its Rollout.
func (r *release) begin(party object, steps ...any) {
	r.Helper()
	r.createKusciaDeployment(party)
	if len(steps) == 0 {
		return
	}
	r.createRollout(steps...)
	r.do("healthy")
}

func (r *release) createKusciaDeployment(more object) {
	r.Helper()
	r.ok(r.create(kusciaDeployments, "cross-domain", kusciaDeployment(r.name, specOf(party("alice", more)))))
	r.eventually("available", func() string {
		return differences(nested(r.get(kusciaDeployments, "cross-domain", r.name), "status", "phase"), "Available")
	})
}

func (r *release) createRollout(steps ...any) {
	r.Helper()
	r.ok(r.create(rollouts, "alice", r.rolloutObject(steps...)))
}

func (r *release) rolloutObject(steps ...any) object {
	return object{
		"apiVersion": "rollouts.kruise.io/v1beta1", "kind": "Rollout", "metadata": object{"name": r.name},
		"spec": object{
			"workloadRef": object{"apiVersion": "apps/v1", "kind": "Deployment", "name": r.name},
			"strategy":    strategyOf(r.style, steps...),
		},
	}
}

// remove deletes all objects. It does not use the test's context, which may
// have ended.
func (r *release) remove() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_ = r.client.Resource(rollouts).Namespace("alice").Delete(ctx, r.name, metav1.DeleteOptions{})
	_ = r.client.Resource(kusciaDeployments).Namespace("cross-domain").Delete(ctx, r.name, metav1.DeleteOptions{})
}

func (r *release) setImage(version string) {
	r.Helper()
	r.change("replace", "/spec/parties/0/appImageRef", "kr-img-"+version)
}

func (r *release) change(op, path string, value any) {
	r.Helper()
	r.ok(r.patch(kusciaDeployments, "cross-domain", r.name, []any{object{"op": op, "path": path, "value": value}}))
}

func (r *release) patchStatus(field string, value any) (code int, message string) {
	r.Helper()
	return r.patch(rollouts, "alice", r.name, object{"status": object{r.sub(): object{field: value}}}, "status")
}

// approve approves the step, again if the controller overwrites the approval with a
// status that it has read before.
func (r *release) approve() {
	r.Helper()
	step := func() [2]any { got := r.seen(); return [2]any{got["idx"], got["state"]} }
	before := step()
	r.eventually("approved", func() string {
		r.ok(r.patchStatus("currentStepState", "StepReady"))
		for range 10 {
			if time.Sleep(10 * time.Millisecond); step() == before {
				return fmt.Sprint("still at ", before)
			}
		}
		return ""
	})
}

func (r *release) patchSpec(value object) {
	r.Helper()
	r.ok(r.patch(rollouts, "alice", r.name, object{"spec": value}))
}

// waitPaused waits for the pause of a step, and for the message about it: until it is
// written, the controller overwrites an approval.
func (r *release) waitPaused(index int) {
	r.Helper()
	message := regexp.MustCompile(fmt.Sprintf(`step\(%d/\d+\), and (you need manually confirm|wait duration)`, index))
	r.eventually(fmt.Sprintf("paused at %d", index), func() string {
		if got := r.seen(); got["state"] != "StepPaused" || got["idx"] != int64(index) || !message.MatchString(fmt.Sprint(got["msg"])) {
			return fmt.Sprint(got)
		}
		return ""
	})
}

// seen returns the Rollout in the form of the recordings.
func (r *release) seen() object {
	r.Helper()
	return seenIn(r.get(rollouts, "alice", r.name))
}

func seenIn(rollout *unstructured.Unstructured) object {
	got := object{}
	if rollout == nil {
		return got
	}
	status, _ := rollout.Object["status"].(object)
	sub, _ := status["canaryStatus"].(object)
	if sub == nil {
		sub, _ = status["blueGreenStatus"].(object)
	}
	got["phase"], got["msg"] = status["phase"], status["message"]
	got["idx"], got["next"], got["state"], got["fin"] = sub["currentStepIndex"], sub["nextStepIndex"], sub["currentStepState"], sub["finalisingStep"]
	conditions := object{}
	list, _ := status["conditions"].([]any)
	for _, one := range list {
		c := one.(object)
		conditions[c["type"].(string)] = []any{c["status"], c["reason"], c["message"]}
	}
	got["conds"] = conditions
	return got
}

// waitFor waits until Rollout and Deployment are in the state of a mark.
func (r *release) waitFor(mark string) {
	r.Helper()
	recorded := snapshot(r.T, r.events, mark)
	r.check(mark, until(3*time.Minute, func() string { return r.differs(recorded) }))
}

// staysAs checks that Rollout and Deployment are in the state of a mark after some time,
// that of the real cluster, and stay in it.
func (r *release) staysAs(mark string, recordedTime time.Duration) {
	r.Helper()
	time.Sleep(time.Duration(float64(recordedTime) * timeFactor))
	recorded := snapshot(r.T, r.events, mark)
	problem := until(3*time.Minute, func() string { return r.differs(recorded) })
	for end := time.Now().Add(time.Second); problem == "" && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		problem = r.differs(recorded)
	}
	r.check(mark, problem)
}

// differs compares Rollout and Deployment, without numbers that were recorded while pods
// were being replaced: they are transient.
func (r *release) differs(recorded object) string {
	r.Helper()
	want := object{}
	for name, value := range recorded["ro"].(object) {
		if name != "gen" && name != "stable" && name != "canary" && name != "disabled" && name != "paused" {
			want[name] = value
		}
	}
	if problem := differences(r.seen(), want); problem != "" {
		return "Rollout: " + problem
	}
	all, _ := recorded["dp"].(object)
	d := r.get(deployments, "alice", r.name)
	one, there := all[recordedAs(r.events, all)].(object)
	if !there || d == nil {
		return differences(d != nil, there)
	}
	if observed, _, _ := unstructured.NestedInt64(d.Object, "status", "observedGeneration"); observed != d.GetGeneration() {
		return fmt.Sprintf("the status of the Deployment is that of generation %d, not %d", observed, d.GetGeneration())
	}
	got, want := deploymentSeen(d), deploymentRecorded(one)
	st, _ := one["st"].(object)
	if one["paused"] == false && (st["updatedReplicas"] != st["replicas"] || st["unavailableReplicas"] != nil) {
		delete(got, "st")
		delete(want, "st")
	}
	return differences(got, want)
}

// deploymentRecorded is a recorded Deployment in the form of deploymentSeen.
func deploymentRecorded(recorded any) object {
	one := recorded.(object)
	return object{
		"paused": one["paused"], "strategy": one["strategy"], "replicas": one["replicas"], "images": one["images"],
		"minReady": one["minReady"], "st": withoutNulls(one["st"]), "lab": labelNames(one["lab"]),
	}
}

// recordedAs returns the name of the objects in a recording: that of the file,
// or a short one, which is the prefix of the extra Deployment's name.
func recordedAs(events []event, all object) string {
	shortest := ""
	for name := range all {
		if shortest == "" || len(name) < len(shortest) {
			shortest = name
		}
	}
	for _, e := range events {
		if name, found := strings.CutPrefix(e.Mark, "start "); found {
			_, name, _ = strings.Cut(name, "-")
			if _, has := all["kr-"+name]; has {
				return "kr-" + name
			}
		}
	}
	return shortest
}

func labelNames(labels any) []string {
	names := []string{}
	all, _ := labels.(object)
	for name := range all {
		if strings.HasPrefix(name, "rollouts.kruise.io/") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func deploymentSeen(d *unstructured.Unstructured) object {
	spec, status := d.Object["spec"].(object), object{}
	if s, ok := d.Object["status"].(object); ok {
		status = s
	}
	containers, _, _ := unstructured.NestedSlice(d.Object, "spec", "template", "spec", "containers")
	var images []any
	for _, c := range containers {
		images = append(images, c.(object)["image"])
	}
	labels, _, _ := unstructured.NestedMap(d.Object, "metadata", "labels")
	st := object{}
	for _, field := range []string{"replicas", "updatedReplicas", "readyReplicas", "availableReplicas", "unavailableReplicas"} {
		st[field] = status[field]
	}
	return object{
		"paused": spec["paused"] == true, "strategy": spec["strategy"], "replicas": spec["replicas"], "images": images,
		"minReady": spec["minReadySeconds"], "st": withoutNulls(st), "lab": labelNames(labels),
	}
}

// states collects the steps and states from a watch of the Rollout.
func (r *release) states() (all func() []string) {
	r.Helper()
	options := metav1.ListOptions{FieldSelector: fields.OneTermEqualSelector("metadata.name", r.name).String()}
	watcher, err := r.client.Resource(rollouts).Namespace("alice").Watch(r.Context(), options)
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(watcher.Stop)
	var mu sync.Mutex
	var seen []string
	go func() {
		for e := range watcher.ResultChan() {
			if rollout, ok := e.Object.(*unstructured.Unstructured); ok && e.Type != watch.Deleted {
				mu.Lock()
				seen = add(seen, seenIn(rollout))
				mu.Unlock()
			}
		}
	}()
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(seen)
	}
}

// add appends step and state if they have changed.
func add(seen []string, got object) []string {
	text := fmt.Sprintf("%v %v %v", got["idx"], got["state"], got["fin"])
	if got["state"] == nil || (len(seen) > 0 && seen[len(seen)-1] == text) {
		return seen
	}
	return append(seen, text)
}

// recordedStates returns the steps and states of a recording.
func recordedStates(events []event) []string {
	var seen []string
	now := object{}
	for _, e := range events {
		if e.Kind != "ro" {
			continue
		}
		changed, _ := e.Change.(object)
		for name, value := range changed {
			now[name] = value
		}
		seen = add(seen, now)
	}
	return seen
}

// A complete release of each style has the recorded sequence of states and the
// recorded end.
func TestReleases(t *testing.T) {
	t.Parallel()
	recreated := object{"template": object{"strategy": rolling("25%", "25%"), "spec": object{}}}
	for _, c := range []struct {
		file, style string
		party       object
	}{
		{"1-crd-partition", byPartition, nil},
		{"1-crd-canary", byCanary, nil},
		{"1-crd-bluegreen", byBlueGreen, nil},
		{"1-api-partition", byPartition, recreated},
		{"1-api-canary", byCanary, recreated},
	} {
		t.Run(c.file, func(t *testing.T) {
			t.Parallel()
			r := series(t, c.file, c.style, c.party)
			r.createRollout(usualSteps()...)
			states := r.states()
			played{script: "healthy; image v2; paused 1; approve; paused 2; approve"}.on(t, r)
			r.eventually("end", func() string {
				got := r.seen()
				return differences([]any{got["phase"], got["fin"]}, []any{"Healthy", "END"})
			})
			r.check("states", differences(states(), upTo(recordedStates(r.events), " END")))
			r.check("final rollout", r.finalRollout())
			final := deploymentRecorded(marked(t, r.events, "final deployment"))
			r.check("final deployment", until(3*time.Minute, func() string { return differences(deploymentSeen(r.get(deployments, "alice", r.name)), final) }))
		})
	}
}

// waitGone waits until the Rollout does not exist.
func (r *release) waitGone() {
	r.Helper()
	r.eventually("the Rollout is deleted", func() string { return differences(r.get(rollouts, "alice", r.name) == nil, true) })
}

// upTo removes what follows the first state that ends in a text.
func upTo(states []string, end string) []string {
	for i, state := range states {
		if strings.HasSuffix(state, end) {
			return states[:i+1]
		}
	}
	return states
}

// finalRollout compares the whole status, except for hashes and times.
func (r *release) finalRollout() string {
	r.Helper()
	want, got := &unstructured.Unstructured{Object: marked(r.T, r.events, "final rollout").(object)}, r.get(rollouts, "alice", r.name)
	var both [2]object
	for i, one := range []*unstructured.Unstructured{got, want} {
		unstructured.RemoveNestedField(one.Object, "spec", "workloadRef", "name")
		withoutVolatileFields(one.Object["status"].(object))
		both[i] = object{"status": one.Object["status"], "spec": one.Object["spec"], "finalizers": one.GetFinalizers()}
	}
	return differences(both[0], both[1])
}

// withoutVolatileFields removes hashes, times and generations from the status of a Rollout.
func withoutVolatileFields(status object) {
	delete(status, "observedGeneration")
	for _, name := range []string{"canaryStatus", "blueGreenStatus"} {
		sub, _ := status[name].(object)
		for _, field := range []string{
			"canaryRevision", "updatedRevision", "lastUpdateTime", "observedRolloutID", "observedWorkloadGeneration",
			"podTemplateHash", "rolloutHash", "stableRevision", "message",
		} {
			delete(sub, field)
		}
	}
	conditions, _ := status["conditions"].([]any)
	for _, c := range conditions {
		delete(c.(object), "lastTransitionTime")
		delete(c.(object), "lastUpdateTime")
	}
}
