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
}

// sequence is a workspace with a model of what must be true after each command.
type sequence struct {
	*workspace

	h *history
	// images begins the names of the app images, name those of everything else.
	images, name string
	triggers     int
}

func (s *sequence) object(typeName string) *unstructured.Unstructured {
	switch typeName {
	case deploymentType:
		return s.k.Get(acctest.KubeKusciaDeployments, acctest.KubeNamespace, s.name)
	case routingType:
		return s.k.Get(acctest.KubeTrafficRoutings, domain, s.name)
	case rolloutType:
		return s.k.Get(acctest.KubeRollouts, domain, s.name)
	default:
		return nil
	}
}

func (s *sequence) situation() (now situation) {
	if found := s.object(rolloutType); found != nil {
		if read, err := kruise.RolloutFrom(found.Object); err == nil {
			release := read.Release()
			now.suspended = read.Spec.Strategy.Paused
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
	{"A release is in progress", duringRelease}, {"Not possible during a release", duringRelease},
	{"A release is about to begin", duringRelease}, {"The Rollout still holds its workload", duringRelease},
	{"a release may be in progress", duringRelease},
	{"The workload is changed before its Rollout exists", func(_ situation, _ configuration, changed []string) bool {
		return slices.Contains(changed, deploymentType) && slices.Contains(changed, rolloutType)
	}},
	{"but Deployment", func(before situation, _ configuration, _ []string) bool { return before.releasing && before.suspended }},
	{"not approved", func(before situation, next configuration, changed []string) bool {
		return fmt.Sprint(next[approvalTypeName]["step"]) != fmt.Sprint(before.awaits) || len(changed) > 1
	}},
}

func duringRelease(before situation, _ configuration, changed []string) bool {
	return before.releasing || slices.Contains(changed, deploymentType)
}

// command applies a configuration and checks what must be true afterwards. It reports whether
// the apply succeeded.
func (s *sequence) command(what string, next configuration, targets ...string) bool {
	s.t.Helper()
	s.h.did = append(s.h.did, fmt.Sprintf("%s: %v %v", what, next, targets))
	before, states, versions := s.situation(), maps.Clone(s.states), s.generations()
	var changed []string
	for _, name := range applyOrder {
		if fmt.Sprint(s.config[name]) != fmt.Sprint(next[name]) && (len(targets) == 0 || slices.Contains(targets, name)) {
			changed = append(changed, name)
		}
	}
	since := time.Now()
	out := s.apply(next, targets...)
	s.h.did = append(s.h.did, fmt.Sprintf("   changes %v; failed %v in plan %t; %s", changed, out.failed(), out.planFailed, time.Since(since).Round(time.Millisecond)))
	for name, said := range out.said {
		if strings.Contains(said, "ERROR") && !s.isRefusal(said, before, next, changed) {
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
	s.applied(next, out, targets)
	s.checkDeployment(out)
	s.verify(out.failed()...)
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

// applied records the configuration that an apply has carried out: all but what has failed.
func (s *sequence) applied(next configuration, out outcome, targets []string) {
	for _, name := range applyOrder {
		switch {
		case len(targets) > 0 && !slices.Contains(targets, name):
		case !slices.Contains(out.failed(), name):
			s.config = s.config.with(name, next[name])
		case s.states[name].Value.IsNull() || s.tainted[name]:
			s.config = s.config.with(name, nil)
		}
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
	d := s.k.Get(acctest.KubeDeployments, domain, s.name)
	if want := imageOf(config); d == nil || !strings.HasSuffix(imageIn(d), ":"+want) {
		s.t.Errorf("the state says that the rollout is complete, and the Deployment has not the image %s", want)
	}
}

func boolAt(state protocol.State, name string) (is bool) {
	value := state.At(name)
	return value.IsKnown() && !value.IsNull() && value.As(&is) == nil && is
}

func party(config protocol.Object) protocol.Object {
	return config["parties"].([]any)[0].(protocol.Object)
}

func imageOf(config protocol.Object) string {
	_, version, _ := strings.Cut(fmt.Sprint(party(config)["app_image"]), "-v")
	return "v" + version[strings.LastIndex(version, "v")+1:]
}

func imageIn(d *unstructured.Unstructured) string {
	containers, _, _ := unstructured.NestedSlice(d.Object, "spec", "template", "spec", "containers")
	if len(containers) == 0 {
		return ""
	}
	return fmt.Sprint(containers[0].(map[string]any)["image"])
}

// verify checks that the plan of the applied configuration is empty, that the cluster has what
// is configured, and that the state has every object, except those of which the apply failed:
// their next refresh may change the state.
func (s *sequence) verify(failed ...string) {
	s.t.Helper()
	if changed, out := s.differences(s.config); len(failed) == 0 && (changed != nil || out.planFailed) {
		s.t.Errorf("the next plan changes %v: %v", changed, out.said)
	}
	for _, name := range applyOrder[:3] {
		found, config := s.object(name), s.config[name]
		if slices.Contains(failed, name) {
			continue
		}
		if (s.states[name].Value.Type() != nil) != (found != nil) {
			s.t.Errorf("%s: in the cluster: %t, in the state: %t", name, found != nil, s.states[name].Value.Type() != nil)
		}
		if found == nil || config == nil {
			continue
		}
		for at, want := range fieldsOf(name, config) {
			if got, _, _ := unstructured.NestedFieldNoCopy(found.Object, strings.Split(at, ".")...); fmt.Sprint(got) != want {
				s.t.Errorf("%s: %s is %v in the cluster, want %s", name, at, got, want)
			}
		}
	}
}

// fieldsOf are fields of an object, as configured.
func fieldsOf(typeName string, config protocol.Object) map[string]string {
	or := func(value any, otherwise string) string {
		if value == nil || value == false {
			return otherwise
		}
		return fmt.Sprint(value)
	}
	switch typeName {
	case deploymentType:
		return map[string]string{"spec.inputConfig": or(config["input_config"], "")}
	case routingType:
		return map[string]string{"spec.strategy.weight": fmt.Sprint(config["strategy"].(protocol.Object)["weight"])}
	default:
		return map[string]string{"spec.disabled": or(config["disabled"], "false")}
	}
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
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		names := left(acctest.KubeBatchReleases, acctest.KubeReplicaSets, acctest.KubePods)
		if len(names) == 0 {
			return
		}
		if time.Now().After(deadline) {
			s.t.Errorf("after the destroy the cluster has %v", names)
		}
	}
}
