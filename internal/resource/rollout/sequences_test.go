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

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
)

// TestRandomSequences does random sequences of edits, changes by other clients, targeted and
// interrupted applies, imports, approvals, rollbacks and destroys, and checks after each of
// them what must be true.
// With -short these are a few of fixed seeds; otherwise rapid checks 100 sequences in each of
// two subtests, prints the seed of one that fails, and shortens it (-rapid.seed).
func TestRandomSequences(t *testing.T) {
	t.Parallel()
	for _, group := range []string{"a", "b"} {
		t.Run(group, func(t *testing.T) {
			t.Parallel()
			run := newSequences(t, func(w *workspace) commands { return w })
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

// newSequences returns a function that runs sequences one after the other, with the commands of
// a workspace.
func newSequences(t *testing.T, with func(w *workspace) commands) func(t crudtest.TB, steps []step) {
	t.Helper()
	k := acctest.NewKube(t)
	k.RequireKruise(t)
	k.RequireSimulated(t, "the app images of a sandbox, and pods that never start")
	e := acctest.NewSandbox(t, sandbox.Options{})
	k.RunServings(e)
	name, count := k.Name("seq"), 0
	for _, version := range []string{"v1", "v2", "v3", brokenTag} {
		k.AppImage(name+"-"+version, "example/"+version, version, 2)
	}
	k.Sweep(name)
	return func(t crudtest.TB, steps []step) {
		count++
		h := &history{TB: t}
		w := &workspace{t: h, k: k, e: e, config: configuration{}, states: map[string]protocol.State{}, tainted: map[string]bool{}}
		(&sequence{workspace: w, terraform: with(w), h: h, images: name, name: fmt.Sprintf("%s-%d", name, count), unsure: map[string]bool{}}).follow(steps)
	}
}

// step is one command of a sequence. What it means depends on the situation only, so that a
// sequence can be shortened.
type step struct {
	Do     string
	Choice int
}

var kindsOfSteps = []string{
	"deployment", "deployment", "deployment", "image", "rollout", "rollout", "rollout", "routing",
	"approve", "approve", "approve", "approve", "approve to", "approve to", "approve wrongly", "roll back", "roll back", "two edits",
	"drift", "drift", "edit of the Deployment", "deleted elsewhere", "import", "target", "interrupted", "interrupted", "destroy one", "second Rollout", "invalid", "again",
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
		s.command("release", deployed(s.config, s.images+"-v2", nil))
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
		if !boolAt(s.states[rolloutType], "promote_on_destroy") && versionOf(allowed).tag == brokenTag {
			s.command("mend", deployed(allowed, s.images+"-v1", nil))
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
	return protocol.Object{"name": s.name, "initiator": domain, "input_config": "0", "force_conflicts": true, "timeouts": limits, "parties": protocol.Object{
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

// newImage is an app image of the workspace.
func (s *sequence) newImage(tag string) protocol.Object {
	port := func(name, scope string) protocol.Object {
		return protocol.Object{"name": name, "protocol": "HTTP", "scope": scope}
	}
	return protocol.Object{"name": s.name, "image": protocol.Object{"name": "example/own", "tag": tag}, "deploy_templates": []any{
		protocol.Object{"name": "app", "replicas": 2, "containers": []any{
			protocol.Object{"name": "main", "working_dir": "/work", "ports": []any{port("service", "Domain"), port("communication", "Cluster")}},
		}},
	}}
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
	case "target":
		s.command(of.Do, edits[other](edits[one](s.config, of.Choice), of.Choice+1), types[one])
	case "again":
		s.command(of.Do, s.config)
	case "image":
		s.command(of.Do, s.editImage(s.config, of.Choice))
	case "approve", "approve wrongly", "approve to":
		s.approve(of.Do, of.Choice)
	case "roll back":
		s.rollBack()
	case "edit of the Deployment":
		s.editOutside(of.Choice)
	case "interrupted":
		s.interrupted([]edit{s.editDeployment, s.editRollout, s.editImage, s.editRouting}[of.Choice/3], of.Choice)
	case "second Rollout":
		s.secondRollout()
	case "drift":
		s.drift(of.Choice)
	case "deleted elsewhere":
		s.deletedElsewhere(types[one])
	case "import":
		s.imported(types[one])
	case "destroy one":
		s.command(of.Do, s.config.with(types[one], nil), types[one])
	case "invalid":
		s.invalid(of.Choice)
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
		now, _ := strconv.Atoi(strings.TrimPrefix(versionOf(from).tag, "v"))
		return deployed(from, fmt.Sprintf("%s-v%d", s.images, 1+(now+choice%2)%3), nil)
	case 5:
		return deployed(from, s.images+"-"+brokenTag, nil)
	case 6, 7:
		return from.with(deploymentType, merge(now, protocol.Object{"parties": protocol.Object{domain: merge(party(now), protocol.Object{"replicas": choice - 4})}}))
	case 8, 9:
		return from.with(deploymentType, merge(now, protocol.Object{"input_config": fmt.Sprint(choice)}))
	case 10:
		return from.with(deploymentType, merge(now, protocol.Object{"labels": protocol.Object{"a": "b"}}))
	default:
		return from.with(deploymentType, nil)
	}
}

// deployed is a configuration with another app image, and further attributes, of the
// deployment.
func deployed(from configuration, image string, with protocol.Object) configuration {
	now := from[deploymentType]
	next := from.with(deploymentType, merge(merge(now, with), protocol.Object{"parties": protocol.Object{domain: merge(party(now), protocol.Object{"app_image": image})}, "timeouts": limits}))
	if versionOf(next).tag == brokenTag {
		next[deploymentType]["timeouts"] = shortLimits
	}
	return next
}

// editImage changes the tag of the app image of the workspace, with a label of the
// deployment, so that its pods get it too.
func (s *sequence) editImage(from configuration, choice int) configuration {
	tag := []string{"v1", "v2", "v3", brokenTag}[choice%4]
	switch {
	case from[deploymentType] == nil:
		return from.with(imageType, nil)
	case choice > 9 && from[imageType] != nil:
		return deployed(from, s.images+"-v1", nil).with(imageType, nil)
	default:
		return deployed(from.with(imageType, s.newImage(tag)), s.name, protocol.Object{"labels": protocol.Object{"tag": tag}})
	}
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
	at, sure := s.situation().awaits, !slices.Contains(slices.Collect(maps.Values(s.unsure)), true)
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

// drift changes an attribute as another client: the plan shows that attribute, and the apply
// takes it back.
func (s *sequence) drift(choice int) {
	s.t.Helper()
	drifts := []struct{ typeName, attribute, patch string }{
		{deploymentType, "input_config", `{"spec":{"inputConfig":"drifted"}}`},
		{deploymentType, "labels", `{"metadata":{"labels":{"a":"drifted"}}}`},
		{rolloutType, "paused", `{"spec":{"strategy":{"paused":true}}}`},
		{rolloutType, "disabled", `{"spec":{"disabled":true}}`},
		{routingType, "strategy", `{"spec":{"strategy":{"weight":77}}}`},
	}
	drift := drifts[choice%len(drifts)]
	found := s.object(drift.typeName)
	if drift.attribute == "labels" {
		labels, _ := s.config[deploymentType]["labels"].(protocol.Object)
		if labels["a"] == nil {
			return // labels of other clients are theirs
		}
	}
	if found == nil || s.config[drift.typeName] == nil || s.isUnsure() || s.situation().releasing || s.config[drift.typeName][drift.attribute] == true {
		return
	}
	s.h.did = append(s.h.did, fmt.Sprintf("drift of %s.%s", drift.typeName, drift.attribute))
	s.k.Patch(places[drift.typeName].kind, found.GetNamespace(), s.name, types.MergePatchType, drift.patch)
	changed, out := s.terraform.differences(s.config)
	// The first update after an import also stores what is not in the cluster, and each update
	// waits.
	attributes := slices.DeleteFunc(slices.Clone(changed[drift.typeName]), func(name string) bool {
		return slices.Contains([]string{"rollout_complete", "force_conflicts", "timeouts", "promote_on_destroy"}, name)
	})
	if out.planFailed || len(changed) != 1 || !slices.Equal(attributes, []string{drift.attribute}) {
		s.t.Errorf("the plan shows the drift as %v: %v", changed, out.said)
	}
	s.command("take it back", s.config)
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
	if changed, out := s.terraform.differences(s.config); out.planFailed || len(changed) != 1 || !slices.Equal(changed[typeName], []string{"exists: true"}) {
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
	s.terraform.imports(typeName, id)
	s.verify()
}

// invalid applies configurations that the plan refuses.
func (s *sequence) invalid(choice int) {
	s.t.Helper()
	next := s.config
	switch rollout, d := s.config[rolloutType], s.config[deploymentType]; {
	case choice < 4 && rollout != nil:
		next = next.with(rolloutType, styled(rollout, canaryStyle, protocol.Object{"steps": []any{protocol.Object{"replicas": "0%"}}}))
	case choice < 8 && d != nil:
		next = next.with(deploymentType, merge(d, protocol.Object{"parties": protocol.Object{domain: merge(party(d), protocol.Object{"app_image": "Not a name"})}}))
	default:
		next = next.with(routingType, merge(s.newRouting(), protocol.Object{"object_ref": []any{}}))
	}
	s.h.did = append(s.h.did, fmt.Sprint("invalid: ", next))
	before, states := s.generations(), len(s.states)
	if out := s.terraform.apply(next); !out.planFailed {
		s.t.Errorf("an invalid configuration was applied: %v", out.said)
	}
	if after := s.generations(); !maps.Equal(before, after) || states != len(s.states) {
		s.t.Errorf("a refused plan has changed something: %v, were %v", after, before)
	}
}
