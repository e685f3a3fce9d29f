package rollout_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
)

// history adds to every failure of a sequence what it did before.
type history struct {
	crudtest.TB

	did []string
}

func (h *history) Errorf(format string, args ...any) {
	h.Helper()
	h.Fatal(fmt.Sprintf(format, args...))
}

func (h *history) Fatal(args ...any) {
	h.Helper()
	h.TB.Fatal(fmt.Sprint(args...) + "\n\nThe sequence:\n" + strings.Join(h.did, "\n"))
}

// situation is what a cluster has before an apply, as far as it decides what is refused.
type situation struct {
	// releasing is set if a delete or disabling of the Rollout would end a release.
	releasing bool
	// suspended is set if the Rollout has paused = true.
	suspended bool
	// awaits is the step that awaits its approval, 0 for none.
	awaits int
	// steps is the number of steps of the release.
	steps int
	// state is that of the release.
	state kruise.ReleaseState
	// leftover is set if the Deployment was deleted during a release and the Rollout was not:
	// the BatchRelease stays, and the next release may wait for it forever.
	leftover bool
}

// sequence is a workspace with a model of what must be true after each command.
type sequence struct {
	*workspace

	h *history
	// images begins the names of the app images, name those of everything else.
	images, name string
	triggers     int
	// unsure are the resource types whose last apply has failed: what their object is like
	// is known again after the next one.
	unsure map[string]bool
	// leftover is that of the situation.
	leftover bool
	// stable is the configuration with which all pods have run last, without a release; nil
	// if it is not known.
	stable configuration
}

// places are where the objects are, by resource type.
var places = map[string]struct {
	kind      schema.GroupVersionResource
	namespace string
}{
	deploymentType: {acctest.KubeKusciaDeployments, acctest.KubeNamespace},
	routingType:    {acctest.KubeTrafficRoutings, domain}, rolloutType: {acctest.KubeRollouts, domain},
}

func (s *sequence) object(typeName string) *unstructured.Unstructured {
	place, has := places[typeName]
	if !has {
		return nil
	}
	return s.k.Get(place.kind, place.namespace, s.name)
}

func (s *sequence) situation() (now situation) {
	now.leftover = s.leftover
	if found := s.object(rolloutType); found != nil {
		if read, err := kruise.RolloutFrom(found.Object); err == nil {
			release := read.Release()
			now.suspended, now.steps, now.state = read.Spec.Strategy.Paused, int(release.Steps), release.State
			now.releasing = release.InProgress() || release.State == kruise.Disabling
			if release.State == kruise.AwaitingApproval || release.State == kruise.TimedPause {
				now.awaits = int(release.Step)
			}
		}
	}
	if d := s.k.Get(acctest.KubeDeployments, domain, s.name); d != nil {
		now.releasing = now.releasing || d.GetAnnotations()[kruise.InProgressingAnnotation] != ""
	}
	return now
}

// refusals are the errors that a right provider may have, and when.
var refusals = []struct {
	text string
	may  func(before situation, next configuration, changed []string) bool
}{
	{"Release is in progress", duringRelease}, {"Not possible during a release", duringRelease},
	{"Release is about to begin", duringRelease}, {"Rollout still holds its workload", duringRelease},
	{"a release may be in progress", duringRelease},
	{"Workload is changed before its Rollout exists", func(_ situation, _ configuration, changed []string) bool {
		return slices.Contains(changed, deploymentType) && slices.Contains(changed, rolloutType)
	}},
	{"but Deployment", func(before situation, _ configuration, _ []string) bool {
		// A release is stuck if its Deployment was deleted during an earlier one.
		return before.releasing && (before.suspended || before.state == kruise.Stuck)
	}},
	{"Unable to approve step", func(before situation, next configuration, changed []string) bool {
		to, _ := next[approvalTypeName]["to_step"].(int)
		return fmt.Sprint(next[approvalTypeName]["step"]) != fmt.Sprint(before.awaits) || len(changed) > 1 || to > before.steps
	}},
	{"does not run", func(before situation, next configuration, _ []string) bool {
		return before.leftover || tagOf(next) == brokenTag
	}},
	{"did not reach its next pause", func(before situation, next configuration, _ []string) bool {
		return before.leftover || tagOf(next) == brokenTag
	}},
}

func duringRelease(before situation, _ configuration, changed []string) bool {
	return before.releasing || slices.Contains(changed, deploymentType)
}

// command applies a configuration and checks what must be true afterwards. It reports whether
// the apply succeeded.
func (s *sequence) command(what string, next configuration) bool {
	s.t.Helper()
	before, states, versions := s.situation(), maps.Clone(s.states), s.generations()
	if !before.releasing && !s.unsure[deploymentType] && s.allRun() {
		s.stable = s.config
	}
	var changed []string
	for _, name := range applyOrder {
		if s.unsure[name] || fmt.Sprint(s.config[name]) != fmt.Sprint(next[name]) {
			changed = append(changed, name)
		}
	}
	s.h.did = append(s.h.did, what+":")
	for _, name := range changed {
		s.h.did = append(s.h.did, fmt.Sprintf("   %s: %v", name, next[name]))
	}
	since, killed := time.Now(), s.killAfter > 0
	out := s.apply(next)
	s.h.did = append(s.h.did, fmt.Sprintf("   %s; changes %v; failed %v in plan %t; %s", before.state, changed, out.failed(), out.planFailed, time.Since(since).Round(time.Millisecond)))
	for name, said := range out.said {
		interrupted := killed && !out.planFailed && strings.Contains(said, "cancel")
		if strings.Contains(said, "ERROR") && !interrupted && !s.isRefusal(said, before, next, changed) {
			s.t.Errorf("%s: %s", name, said)
		}
	}
	if out.planFailed {
		if after := s.generations(); !maps.Equal(versions, after) {
			s.t.Errorf("a refused plan has changed objects: %v, were %v", after, versions)
		}
		if len(states) != len(s.states) {
			s.t.Errorf("a refused plan has changed the state: %v", s.states)
		}
		return false
	}
	s.applied(next, out, states)
	s.leftover = s.object(rolloutType) != nil && (s.leftover || before.releasing && s.object(deploymentType) == nil)
	s.checkDeployment(out)
	s.verify()
	return len(out.failed()) == 0
}

func (s *sequence) isRefusal(said string, before situation, next configuration, changed []string) bool {
	return slices.ContainsFunc(refusals, func(r struct {
		text string
		may  func(situation, configuration, []string) bool
	}) bool {
		return strings.Contains(said, r.text) && r.may(before, next, changed)
	})
}

// applied records the configuration that an apply has carried out. Of what has failed it
// keeps what was before, unless the state has something new or may not have it yet: then a
// person would apply the same again.
func (s *sequence) applied(next configuration, out outcome, before map[string]protocol.State) {
	for _, name := range applyOrder {
		failed := slices.Contains(out.failed(), name)
		state, has := s.states[name]
		was, had := before[name]
		switch {
		case !failed, name == deploymentType, slices.Contains(out.skipped, name), has && had && !state.Value.Equal(was.Value):
			s.config = s.config.with(name, next[name])
		case !has || s.tainted[name]:
			s.config = s.config.with(name, nil)
		}
		s.unsure[name] = failed
	}
}

// generations are those of the objects in the cluster.
func (s *sequence) generations() map[string]string {
	out := map[string]string{}
	for _, name := range applyOrder {
		if found := s.object(name); found != nil {
			out[name] = fmt.Sprint(found.GetUID(), found.GetGeneration())
		}
	}
	return out
}

// checkDeployment checks that an apply that says that a new version runs is right.
func (s *sequence) checkDeployment(out outcome) {
	s.t.Helper()
	state, config := s.states[deploymentType], s.config[deploymentType]
	if config == nil || state.Value.IsNull() || slices.Contains(out.failed(), deploymentType) || out.said[deploymentType] == "" && !boolAt(state, "rollout_complete") {
		return
	}
	if !boolAt(state, "rollout_complete") {
		if !strings.Contains(out.said[deploymentType], "WARNING") && !s.situation().releasing {
			s.t.Errorf("the rollout is not complete, without a warning: %s", out.said[deploymentType])
		}
		return
	}
	if s.situation().releasing {
		return // another change of the same apply, or of a client, began it
	}
	s.h.did = append(s.h.did, "   complete")
	if tag := tagOf(s.config); tag == brokenTag || !s.allRun() {
		s.t.Errorf("the state says that the rollout of %s is complete, and the Deployment is %s", tag, s.k.Get(acctest.KubeDeployments, domain, s.name))
	}
}

// allRun reports whether all pods of the Deployment run as configured.
func (s *sequence) allRun() bool {
	s.t.Helper()
	d, config := s.k.Get(acctest.KubeDeployments, domain, s.name), s.config[deploymentType]
	if d == nil || config == nil {
		return false
	}
	at := func(fields ...string) int64 {
		n, _, _ := unstructured.NestedInt64(d.Object, fields...)
		return n
	}
	want := at("spec", "replicas")
	return at("status", "observedGeneration") == d.GetGeneration() && at("status", "updatedReplicas") == want && at("status", "availableReplicas") == want &&
		strings.HasSuffix(imageIn(d), ":"+tagOf(s.config))
}

func boolAt(state protocol.State, name string) (is bool) {
	value := state.At(name)
	return value.IsKnown() && !value.IsNull() && value.As(&is) == nil && is
}

func party(config protocol.Object) protocol.Object {
	return config["parties"].(protocol.Object)[domain].(protocol.Object)
}

// brokenTag is a tag of which no pod starts.
const brokenTag = "broken"

// tagOf returns the version that a deployment is to have.
func tagOf(config configuration) string {
	if config[deploymentType] == nil {
		return ""
	}
	name := fmt.Sprint(party(config[deploymentType])["app_image"])
	return name[strings.LastIndex(name, "-")+1:]
}

func imageIn(d *unstructured.Unstructured) string {
	containers, _, _ := unstructured.NestedSlice(d.Object, "spec", "template", "spec", "containers")
	if len(containers) == 0 {
		return ""
	}
	return fmt.Sprint(containers[0].(map[string]any)["image"])
}

// verify checks that the plan of the applied configuration is empty, and that the state has
// what the cluster has, except for the objects of which the last apply failed.
func (s *sequence) verify() {
	s.t.Helper()
	changed, out := s.differences(s.config)
	for name, unsure := range s.unsure {
		if unsure {
			delete(changed, name)
		}
	}
	if len(changed) > 0 || out.planFailed && !s.isUnsure() {
		s.t.Errorf("the next plan changes %v: %v", changed, out.said)
	}
	for name := range places {
		if inCluster, inState := s.object(name) != nil, s.states[name].Value.Type() != nil; inCluster != inState && !s.unsure[name] {
			s.t.Errorf("%s: in the cluster: %t, in the state: %t", name, inCluster, inState)
		}
	}
}

// isUnsure reports whether the last apply of a resource has failed.
func (s *sequence) isUnsure() bool {
	return slices.Contains(slices.Collect(maps.Values(s.unsure)), true)
}

// checkNothingLeft checks the cluster after everything was destroyed. Controllers delete the
// pods a little later.
func (s *sequence) checkNothingLeft() {
	s.t.Helper()
	left := func(kinds ...schema.GroupVersionResource) (names []string) {
		for _, kind := range kinds {
			for _, object := range s.k.List(kind, "", "") {
				if name := object.GetName(); name == s.name || strings.HasPrefix(name, s.name+"-") {
					names = append(names, kind.Resource+" "+name)
				}
			}
		}
		return names
	}
	if names := left(acctest.KubeRollouts, acctest.KubeTrafficRoutings, acctest.KubeKusciaDeployments, acctest.KubeDeployments, acctest.KubeServices, acctest.KubeConfigMaps); len(names) > 0 {
		s.t.Errorf("after the destroy the cluster has %v", names)
	}
	s.eventually("without pods", func() bool {
		return len(left(acctest.KubeBatchReleases, acctest.KubeReplicaSets, acctest.KubePods)) == 0
	})
}

// eventually waits for a situation that the controllers bring about.
func (s *sequence) eventually(what string, is func() bool) {
	s.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !is(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.t.Errorf("not %s: %+v, the Rollout is %v, the Deployment %v", what, s.situation(), s.object(rolloutType), s.k.Get(acctest.KubeDeployments, domain, s.name))
		}
	}
}
