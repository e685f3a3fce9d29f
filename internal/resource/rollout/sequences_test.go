package rollout_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
)

// TestRandomSequences does random sequences of edits, changes by other clients, targeted
// applies, imports, approvals and destroys, and checks after each of them what must be true.
// With -short these are a few of fixed seeds; otherwise rapid checks 100 sequences in each of
// two subtests, prints the seed of one that fails, and shortens it (-rapid.seed).
func TestRandomSequences(t *testing.T) {
	t.Parallel()
	for _, group := range []string{"a", "b"} {
		t.Run(group, func(t *testing.T) {
			t.Parallel()
			k := acctest.NewKube(t)
			k.RequireKruise(t)
			name, count := k.Name("seq"), 0
			for _, version := range []string{"v1", "v2", "v3"} {
				k.AppImage(name+"-"+version, "example/"+version, version, 2)
			}
			k.Sweep(name)
			run := func(t crudtest.TB, steps []step) {
				count++
				runSequence(t, k, name, fmt.Sprintf("%s-%d", name, count), steps)
			}
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

// step is one command of a sequence. What it means depends on the situation only, so that a
// sequence can be shortened.
type step struct {
	Do     string
	Choice int
}

var kindsOfSteps = []string{
	"deployment", "deployment", "rollout", "rollout", "routing", "approve", "approve", "approve wrongly", "two edits",
	"drift", "drift", "deleted elsewhere", "import", "target", "destroy one", "invalid", "again",
}

var sequences = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) step {
	return step{rapid.SampledFrom(kindsOfSteps).Draw(t, "do"), rapid.IntRange(0, 11).Draw(t, "choice")}
}), 3, 9)

// runSequence begins with a deployment and its Rollout, and ends with a destroy.
func runSequence(t crudtest.TB, k *acctest.Kube, images, name string, steps []step) {
	h := &history{TB: t}
	s := &sequence{workspace: &workspace{t: h, k: k, config: configuration{}, states: map[string]protocol.State{}, tainted: map[string]bool{}}, h: h, images: images, name: name}
	s.command("deployment", configuration{}.with(deploymentType, s.newDeployment()))
	s.command("rollout", s.config.with(rolloutType, s.newRollout()))
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
		canary, _ := now["canary"].(protocol.Object)
		s.command("allow the end of a release", s.config.with(approvalTypeName, nil).with(rolloutType, merge(now, protocol.Object{
			"promote_on_destroy": true, "canary": merge(canary, protocol.Object{"failure_threshold": "7"}),
		})))
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

func (s *sequence) newDeployment() protocol.Object {
	return protocol.Object{"name": s.name, "initiator": domain, "input_config": "0", "force_conflicts": true, "timeouts": limits, "parties": []any{
		protocol.Object{"domain_id": domain, "app_image": s.images + "-v1", "replicas": 2},
	}}
}

// stepsOf are the steps of a Rollout: replicas, and a duration of the pause unless it is 0.
var stepsOf = [][]struct {
	replicas string
	pause    int
}{
	{{"50%", 0}, {"100%", 0}}, {{"1", 0}, {"100%", 0}}, {{"25%", 0}, {"50%", 0}, {"100%", 0}}, {{"50%", 1}, {"100%", 0}}, {{"25%", 1}, {"50%", 0}},
}

func canaryOf(variant int, more protocol.Object) protocol.Object {
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
	return protocol.Object{"namespace": domain, "name": s.name, "workload_ref": protocol.Object{"name": s.name}, "force_conflicts": true, "timeouts": limits, "canary": canaryOf(0, nil)}
}

func (s *sequence) newRouting() protocol.Object {
	return protocol.Object{
		"namespace": domain, "name": s.name, "force_conflicts": true, "object_ref": []any{protocol.Object{"service": "s", "ingress": protocol.Object{"name": "i"}}}, "strategy": protocol.Object{"weight": 5},
	}
}

// do carries out a step.
func (s *sequence) do(of step) {
	s.t.Helper()
	edits := map[string]func(configuration, int) configuration{"deployment": s.editDeployment, "rollout": s.editRollout, "routing": s.editRouting}
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
	case "approve", "approve wrongly":
		s.approve(of.Do == "approve wrongly")
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
	one := func(with protocol.Object) configuration {
		return from.with(deploymentType, merge(now, protocol.Object{"parties": []any{merge(party(now), with)}}))
	}
	switch choice {
	case 0, 1, 2, 3, 4, 5:
		return one(protocol.Object{"app_image": fmt.Sprintf("%s-v%d", s.images, 1+choice%3)})
	case 6, 7:
		return one(protocol.Object{"replicas": choice - 4})
	case 8, 9:
		return from.with(deploymentType, merge(now, protocol.Object{"input_config": fmt.Sprint(choice)}))
	case 10:
		return from.with(deploymentType, merge(now, protocol.Object{"labels": protocol.Object{"a": "b"}}))
	default:
		return from.with(deploymentType, nil)
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
	switch choice {
	case 0, 1, 2, 3, 4:
		return from.with(rolloutType, merge(now, protocol.Object{"canary": canaryOf(choice, nil)}))
	case 5:
		return from.with(rolloutType, merge(now, protocol.Object{"canary": canaryOf(0, protocol.Object{"enable_extra_workload_for_canary": true})}))
	case 6:
		if from[routingType] == nil {
			return from.with(routingType, s.newRouting())
		}
		return from.with(rolloutType, merge(now, protocol.Object{"canary": canaryOf(0, protocol.Object{"traffic_routing_ref": s.name})}))
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

// approve approves the step at which the release is paused, or another one.
func (s *sequence) approve(wrongly bool) {
	s.t.Helper()
	at := s.situation().awaits
	if at == 0 && !wrongly || s.config[rolloutType] == nil {
		return
	}
	s.triggers++
	step := max(at, 1)
	if wrongly {
		step = at%2 + 1
	}
	s.command("approve", s.config.with(approvalTypeName, protocol.Object{
		"namespace": domain, "name": s.name, "step": step, "triggers": protocol.Object{"n": fmt.Sprint(s.triggers)}, "timeouts": protocol.Object{"create": "90s", "update": "90s"},
	}))
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
	if drift.attribute == "labels" && s.config[deploymentType]["labels"] == nil {
		return // labels of other clients are theirs
	}
	if found == nil || s.config[drift.typeName] == nil || s.situation().releasing || s.config[drift.typeName][drift.attribute] == true {
		return
	}
	kind := map[string]string{deploymentType: acctest.KubeNamespace}[drift.typeName]
	if kind == "" {
		kind = domain
	}
	s.h.did = append(s.h.did, fmt.Sprintf("drift of %s.%s", drift.typeName, drift.attribute))
	s.k.Patch(gvrOf[drift.typeName], kind, s.name, types.MergePatchType, drift.patch)
	changed, out := s.differences(s.config)
	attributes := slices.DeleteFunc(slices.Clone(changed[drift.typeName]), func(name string) bool { return name == "rollout_complete" }) // of the next apply
	if out.planFailed || len(changed) != 1 || !slices.Equal(attributes, []string{drift.attribute}) {
		s.t.Errorf("the plan shows the drift as %v: %v", changed, out.said)
	}
	s.command("take it back", s.config)
}

var gvrOf = map[string]schema.GroupVersionResource{deploymentType: acctest.KubeKusciaDeployments, rolloutType: acctest.KubeRollouts, routingType: acctest.KubeTrafficRoutings}

// deletedElsewhere deletes an object as another client: the plan creates it again.
func (s *sequence) deletedElsewhere(typeName string) {
	s.t.Helper()
	found := s.object(typeName)
	if found == nil || s.situation().releasing {
		return
	}
	s.h.did = append(s.h.did, typeName+" deleted elsewhere")
	s.k.Delete(gvrOf[typeName], found.GetNamespace(), s.name)
	s.k.Eventually(gvrOf[typeName], found.GetNamespace(), s.name, "gone", func(o *unstructured.Unstructured) bool { return o == nil })
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
	if s.object(typeName) == nil || s.config[typeName] == nil || s.tainted[typeName] {
		return
	}
	s.h.did = append(s.h.did, "import of "+typeName)
	id := domain + "/" + s.name
	if typeName == deploymentType {
		id = s.name
	}
	state, said := s.run()[typeName].Import(s.t, id)
	if state.Value.IsNull() {
		s.t.Errorf("the import of %s says %s", typeName, said)
	}
	s.keep(typeName, state)
	s.verify()
}

// invalid applies configurations that the plan refuses.
func (s *sequence) invalid(choice int) {
	s.t.Helper()
	next := s.config
	switch rollout, d := s.config[rolloutType], s.config[deploymentType]; {
	case choice < 4 && rollout != nil:
		next = next.with(rolloutType, merge(rollout, protocol.Object{"canary": protocol.Object{"steps": []any{protocol.Object{"replicas": "0%"}}}}))
	case choice < 8 && d != nil:
		next = next.with(deploymentType, merge(d, protocol.Object{"parties": []any{merge(party(d), protocol.Object{"app_image": "Not a name"})}}))
	default:
		next = next.with(routingType, merge(s.newRouting(), protocol.Object{"object_ref": []any{}}))
	}
	s.h.did = append(s.h.did, fmt.Sprint("invalid: ", next))
	before, states := s.generations(), len(s.states)
	if out := s.apply(next); !out.planFailed {
		s.t.Errorf("an invalid configuration was applied: %v", out.said)
	}
	if after := s.generations(); !maps.Equal(before, after) || states != len(s.states) {
		s.t.Errorf("a refused plan has changed something: %v, were %v", after, before)
	}
}
