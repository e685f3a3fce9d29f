package rollout_test

import (
	"fmt"
	"hash/fnv"
	"maps"
	mathrand "math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
)

// TestRandomSequences does random sequences of edits, deletes by other clients, interrupted
// applies, imports, approvals, rollbacks and destroys, and checks after each of them what
// must be true.
// With -short these are a few of fixed seeds; otherwise rapid checks 100 sequences in each of
// two subtests, prints the seed of one that fails, and shortens it (-rapid.seed).
func TestRandomSequences(t *testing.T) {
	t.Parallel()
	for _, group := range []string{"a", "b"} {
		t.Run(group, func(t *testing.T) {
			t.Parallel()
			run := newSequences(t)
			if testing.Short() {
				for seed := range 2 {
					t.Logf("%s: example %d", group, seed)
					run(t, sequences.Example(seed+len(group)*int(group[0])))
				}
				return
			}
			rapid.Check(t, func(t *rapid.T) { run(t, sequences.Draw(t, "steps")) })
		})
	}
}

// newSequences returns a function that runs sequences one after the other.
func newSequences(t *testing.T) func(t crudtest.TB, steps []step) {
	t.Helper()
	k := acctest.NewKube(t)
	k.RequireKruise(t)
	k.RequireSimulated(t, "pods that never start")
	name, count := k.Name("seq"), 0
	for _, version := range []string{"v1", "v2", "v3", brokenTag} {
		k.AppImage(name+"-"+version, "example/"+version, version, 2)
	}
	k.Sweep(name)
	return func(t crudtest.TB, steps []step) {
		count++
		h := &history{TB: t}
		w := &workspace{t: h, k: k, config: configuration{}, states: map[string]protocol.State{}, tainted: map[string]bool{}}
		(&sequence{workspace: w, h: h, images: name, name: fmt.Sprintf("%s-%d", name, count), unsure: map[string]bool{}}).follow(steps)
	}
}

// step is one command of a sequence. What it means depends on the situation only, so that a
// sequence can be shortened.
type step struct {
	Do     string
	Choice int
}

var kindsOfSteps = []string{
	"deployment", "deployment", "deployment", "rollout", "rollout", "rollout", "routing", "approve", "approve", "approve", "approve", "approve to", "approve to",
	"approve wrongly", "roll back", "roll back", "two edits", "two edits", "deleted elsewhere", "import", "interrupted", "interrupted", "destroy one", "again",
}

// sequences draws each step from a hash: rapid prefers small numbers, and so would the first kinds
// of steps.
var sequences = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) step {
	hash := fnv.New64()
	_, _ = fmt.Fprint(hash, rapid.SliceOfN(rapid.Uint64(), 6, 6).Draw(t, "step"))
	random := mathrand.New(mathrand.NewPCG(hash.Sum64(), 0))
	return step{kindsOfSteps[random.IntN(len(kindsOfSteps))], random.IntN(12)}
}), 3, 9)

// follow begins with a deployment and its Rollout, half of the time with a release, and ends
// with a destroy.
func (s *sequence) follow(steps []step) {
	s.command("deployment", configuration{}.with(deploymentType, s.newDeployment()))
	s.command("rollout", s.config.with(rolloutType, s.newRollout()))
	if len(steps)%2 == 0 {
		s.command("release", deployed(s.config, s.images+"-v2"))
	}
	for _, step := range steps {
		s.do(step)
	}
	s.end()
	s.checkNothingLeft()
}

// end destroys everything.
func (s *sequence) end() {
	s.t.Helper()
	if now := s.config[rolloutType]; now != nil {
		// After an import an apply of promote_on_destroy alone stores nothing.
		style := styleOf(now)
		given, _ := now[style].(protocol.Object)
		allowed := s.config.with(approvalTypeName, nil).with(rolloutType, merge(now, protocol.Object{
			"promote_on_destroy": true, style: merge(given, protocol.Object{"failure_threshold": "7"}),
		}))
		s.command("allow the end of a release", allowed)
		// A CLI does not change what depends on a deployment that does not run.
		if !boolAt(s.states[rolloutType], "promote_on_destroy") && tagOf(allowed) == brokenTag {
			s.command("mend", deployed(allowed, s.images+"-v1"))
		}
	}
	// A release that had not begun leaves its Deployment paused, which is an error, once.
	if !s.command("destroy", configuration{}) && !s.command("destroy again", configuration{}) {
		s.t.Errorf("the destroy was refused twice")
	}
}

func merge(a, b protocol.Object) protocol.Object {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

var limits = protocol.Object{"create": "90s", "update": "90s", "delete": "90s"}

// shortLimits are those of a deployment that never runs.
var shortLimits = protocol.Object{"create": "5s", "update": "5s", "delete": "90s"}

const (
	canaryStyle    = "canary"
	blueGreenStyle = "blue_green"
)

// styleOf is the style of a Rollout.
func styleOf(rollout protocol.Object) string {
	if rollout[blueGreenStyle] != nil {
		return blueGreenStyle
	}
	return canaryStyle
}

// styled is a Rollout with another style.
func styled(rollout protocol.Object, style string, of protocol.Object) protocol.Object {
	out := merge(rollout, protocol.Object{style: of})
	for _, other := range []string{canaryStyle, blueGreenStyle} {
		if other != style {
			delete(out, other)
		}
	}
	return out
}

func (s *sequence) newDeployment() protocol.Object {
	return protocol.Object{"name": s.name, "initiator": domain, "force_conflicts": true, "timeouts": limits, "parties": protocol.Object{
		domain: protocol.Object{"app_image": s.images + "-v1", "replicas": 2},
	}}
}

// stepsOf are the steps of a Rollout: replicas, and a duration of the pause unless it is 0.
var stepsOf = [][]struct {
	replicas string
	pause    int
}{
	{{"50%", 0}, {"100%", 0}}, {{"1", 0}, {"100%", 0}}, {{"25%", 0}, {"50%", 0}, {"100%", 0}}, {{"50%", 1}, {"100%", 0}}, {{"25%", 1}, {"50%", 0}},
}

// stepped has the steps of a style.
func stepped(variant int, more protocol.Object) protocol.Object {
	var steps []any
	for _, one := range stepsOf[variant%len(stepsOf)] {
		of := protocol.Object{"replicas": one.replicas}
		if one.pause > 0 {
			of["pause"] = protocol.Object{"duration": one.pause}
		}
		steps = append(steps, of)
	}
	return merge(protocol.Object{"steps": steps}, more)
}

func (s *sequence) newRollout() protocol.Object {
	return protocol.Object{"namespace": domain, "name": s.name, "workload_ref": protocol.Object{"name": s.name}, "force_conflicts": true, "timeouts": limits, canaryStyle: stepped(0, nil)}
}

func (s *sequence) newRouting() protocol.Object {
	return protocol.Object{
		"namespace": domain, "name": s.name, "force_conflicts": true, "object_ref": []any{protocol.Object{"service": "s", "ingress": protocol.Object{"name": "i"}}}, "strategy": protocol.Object{"weight": 5},
	}
}

// edit changes a configuration.
type edit func(configuration, int) configuration

// do carries out a step.
func (s *sequence) do(of step) {
	s.t.Helper()
	edits := map[string]edit{"deployment": s.editDeployment, "rollout": s.editRollout, "routing": s.editRouting}
	types := map[string]string{"deployment": deploymentType, "rollout": rolloutType, "routing": routingType}
	names := slices.Sorted(maps.Keys(edits))
	one, other := names[of.Choice%3], names[(of.Choice+1+of.Choice/3%2)%3]
	switch of.Do {
	case "two edits":
		s.command(of.Do, edits[other](edits[one](s.config, of.Choice), of.Choice+1))
	case "again":
		s.command(of.Do, s.config)
	case "approve", "approve wrongly", "approve to":
		s.approve(of.Do, of.Choice)
	case "roll back":
		s.rollBack()
	case "interrupted":
		s.interrupted(edits[one], of.Choice)
	case "deleted elsewhere":
		s.deletedElsewhere(types[one])
	case "import":
		s.imported(types[one])
	case "destroy one":
		s.command(of.Do, s.config.with(types[one], nil))
	default:
		s.command(of.Do, edits[of.Do](s.config, of.Choice))
	}
}

func (s *sequence) editDeployment(from configuration, choice int) configuration {
	now := from[deploymentType]
	if now == nil {
		return from.with(deploymentType, s.newDeployment())
	}
	switch choice {
	case 0, 1, 2, 3, 4:
		now, _ := strconv.Atoi(strings.TrimPrefix(tagOf(from), "v"))
		return deployed(from, fmt.Sprintf("%s-v%d", s.images, 1+(now+choice%2)%3))
	case 5:
		return deployed(from, s.images+"-"+brokenTag)
	case 6, 7:
		return from.with(deploymentType, merge(now, protocol.Object{"parties": protocol.Object{domain: merge(party(now), protocol.Object{"replicas": choice - 4})}}))
	case 8, 9:
		return from.with(deploymentType, merge(now, protocol.Object{"labels": protocol.Object{"a": "b"}}))
	default:
		return from.with(deploymentType, nil)
	}
}

// deployed is a configuration with another app image of the deployment.
func deployed(from configuration, image string) configuration {
	now := from[deploymentType]
	next := from.with(deploymentType, merge(now, protocol.Object{"parties": protocol.Object{domain: merge(party(now), protocol.Object{"app_image": image})}, "timeouts": limits}))
	if tagOf(next) == brokenTag {
		next[deploymentType]["timeouts"] = shortLimits
	}
	return next
}

func (s *sequence) editRollout(from configuration, choice int) configuration {
	now := from[rolloutType]
	if now == nil {
		return from.with(rolloutType, s.newRollout())
	}
	toggled := func(name string) configuration {
		is, _ := now[name].(bool)
		return from.with(rolloutType, merge(now, protocol.Object{name: !is}))
	}
	as := func(style string, of protocol.Object) configuration {
		return from.with(rolloutType, styled(now, style, of))
	}
	switch choice {
	case 0, 1, 2:
		return as(canaryStyle, stepped(choice+s.triggers, nil))
	case 3, 4:
		return as(blueGreenStyle, stepped(choice, nil))
	case 5:
		return as(canaryStyle, stepped(0, protocol.Object{"enable_extra_workload_for_canary": true}))
	case 6:
		if from[routingType] == nil {
			return from.with(routingType, s.newRouting())
		}
		return as(canaryStyle, stepped(0, protocol.Object{"traffic_routing_ref": s.name}))
	case 7, 8:
		return toggled("paused")
	case 9:
		return toggled("disabled")
	case 10:
		return toggled("promote_on_destroy")
	default:
		return from.with(rolloutType, nil)
	}
}

func (s *sequence) editRouting(from configuration, choice int) configuration {
	now := from[routingType]
	if now == nil {
		return from.with(routingType, s.newRouting())
	}
	if choice > 8 {
		return from.with(routingType, nil)
	}
	return from.with(routingType, merge(now, protocol.Object{"strategy": protocol.Object{"weight": 10 + choice}}))
}

// approve approves the step at which the release is paused, or another one, or continues with
// another step than the next one.
func (s *sequence) approve(how string, choice int) {
	s.t.Helper()
	wrongly := how == "approve wrongly"
	at, sure := s.situation().awaits, !s.isUnsure()
	if at == 0 && !wrongly || s.config[rolloutType] == nil {
		return
	}
	s.triggers++
	step, to := max(at, 1), at+1
	if wrongly {
		step = at%2 + 1
	}
	approval := protocol.Object{
		"namespace": domain, "name": s.name, "step": step, "triggers": protocol.Object{"n": fmt.Sprint(s.triggers)}, "timeouts": protocol.Object{"create": "90s", "update": "90s"},
	}
	if how == "approve to" {
		if to = 1 + choice%4; to == at {
			return
		}
		approval["to_step"] = to
	}
	if s.command(how, s.config.with(approvalTypeName, approval)) && sure && !wrongly {
		s.checkStep(to)
	}
}

// checkStep checks that a release has continued with a step, and is paused there or over.
func (s *sequence) checkStep(to int) {
	s.t.Helper()
	rollout := s.config[rolloutType]
	style := styleOf(rollout)
	steps, _ := rollout[style].(protocol.Object)["steps"].([]any)
	want := 0
	if to <= len(steps) {
		of := steps[to-1].(protocol.Object)
		if of["pause"] != nil {
			return // it ends by itself
		}
		if to < len(steps) || style == blueGreenStyle || of["replicas"] != "100%" {
			want = to
		}
	}
	if now := s.situation(); now.awaits != want || want == 0 && now.releasing {
		s.t.Errorf("the release is %+v, want it at step %d", now, want)
	}
}

// deletedElsewhere deletes an object as another client: the plan creates it again.
func (s *sequence) deletedElsewhere(typeName string) {
	s.t.Helper()
	found := s.object(typeName)
	if found == nil || s.isUnsure() || s.situation().releasing {
		return
	}
	s.h.did = append(s.h.did, typeName+" deleted elsewhere")
	s.k.Delete(places[typeName].kind, found.GetNamespace(), s.name)
	s.k.Eventually(places[typeName].kind, found.GetNamespace(), s.name, "gone", func(o *unstructured.Unstructured) bool { return o == nil })
	if typeName == deploymentType {
		s.k.Eventually(acctest.KubeDeployments, domain, s.name, "gone", func(o *unstructured.Unstructured) bool { return o == nil })
	}
	if changed, out := s.differences(s.config); out.planFailed || len(changed) != 1 || !slices.Equal(changed[typeName], []string{"exists: true"}) {
		s.t.Errorf("%s was deleted, and the plan changes %v: %v", typeName, changed, out.said)
	}
	s.command("create it again", s.config)
}

// imported forgets a resource and imports it: the plan is empty.
func (s *sequence) imported(typeName string) {
	s.t.Helper()
	if s.object(typeName) == nil || s.config[typeName] == nil || s.unsure[typeName] {
		return
	}
	s.h.did = append(s.h.did, "import of "+typeName)
	id := domain + "/" + s.name
	if typeName == deploymentType {
		id = s.name
	}
	s.imports(typeName, id)
	s.verify()
}

// interrupted ends an apply as the first Ctrl-C does, at some time: the state has what the
// cluster has, and the next apply completes it.
func (s *sequence) interrupted(change edit, choice int) {
	s.t.Helper()
	s.killAfter = time.Duration(1+choice*choice) * 20 * time.Millisecond
	next := change(s.config, choice)
	s.command(fmt.Sprintf("interrupted after %s", s.killAfter), next)
	s.killAfter = 0
	s.command("completed", s.config)
}

// rollBack applies the version that ran before the release: the release ends, and the pods have
// that version.
func (s *sequence) rollBack() {
	s.t.Helper()
	before, to := s.situation(), s.stable
	if !before.releasing || to == nil || s.config[deploymentType] == nil || s.unsure[rolloutType] || tagOf(to) == tagOf(s.config) {
		return
	}
	if !s.command("roll back", deployed(s.config, s.images+"-"+tagOf(to))) || s.object(rolloutType) == nil {
		return
	}
	if !before.suspended && s.config[rolloutType]["disabled"] != true {
		s.eventually("over and back", func() bool { return !s.situation().releasing && s.allRun() })
	}
}
