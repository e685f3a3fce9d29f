package rollout_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	mathrand "math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
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
			k := acctest.NewKube(t)
			k.RequireKruise(t)
			k.RequireSimulated(t, "a sequence takes minutes in life")
			name, count := k.Name("seq"), 0
			for _, version := range []string{"v0", "v1", "v2"} {
				k.AppImage(name+"-"+version, "example/"+version, version, 2)
			}
			k.Sweep(name)
			run := func(t crudtest.TB, steps []step) {
				count++
				(&sequence{
					t: &history{TB: t}, k: k, images: name, name: fmt.Sprintf("%s-%d", name, count), config: configuration{},
					states: map[string]protocol.State{}, tainted: map[string]bool{}, unsure: map[string]bool{},
				}).follow(steps)
			}
			if testing.Short() {
				for seed := range 2 {
					run(t, sequences.Example(seed+len(group)*int(group[0])))
				}
				return
			}
			rapid.Check(t, func(t *rapid.T) { run(t, sequences.Draw(t, "steps")) })
		})
	}
}

// history adds to every failure of a sequence what it did before.
type history struct {
	crudtest.TB

	did []string
}

func (h *history) note(format string, args ...any) {
	h.did = append(h.did, fmt.Sprintf(format, args...))
}

func (h *history) Errorf(format string, args ...any) { h.Fatal(fmt.Sprintf(format, args...)) }

func (h *history) Fatal(args ...any) {
	h.Helper()
	h.TB.Fatal(fmt.Sprint(args...) + "\n\nThe sequence:\n" + strings.Join(h.did, "\n"))
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

// The resource types of a sequence.
const (
	deploymentType, routingType   = "kuscia_deployment", "kuscia_traffic_routing"
	rolloutType, approvalTypeName = "kuscia_rollout", "kuscia_rollout_approval"
)

// applyOrder is the order in which the resources are created, as with depends_on; they are
// destroyed in the reverse order.
var applyOrder = []string{deploymentType, routingType, rolloutType, approvalTypeName}

// places are where the objects are, by resource type.
var places = map[string]struct {
	kind      schema.GroupVersionResource
	namespace string
}{
	deploymentType: {acctest.KubeKusciaDeployments, acctest.KubeNamespace}, routingType: {acctest.KubeTrafficRoutings, domain}, rolloutType: {acctest.KubeRollouts, domain},
}

// configuration has the resources, at most one of a type.
type configuration map[string]protocol.Object

// with returns the configuration with another resource; nil removes it.
func (c configuration) with(typeName string, of protocol.Object) configuration {
	out := maps.Clone(c)
	if out[typeName] = of; of == nil {
		delete(out, typeName)
	}
	return out
}

// sequence is a configuration with its state and its cluster. Each plan and each apply has a
// provider of its own, as with the CLI.
type sequence struct {
	t *history
	k *acctest.Kube
	// images begins the names of the app images, name those of everything else.
	images, name string
	// config was applied last.
	config  configuration
	states  map[string]protocol.State
	tainted map[string]bool
	// unsure are the resource types whose last apply has failed: what their object is like
	// is known again after the next one.
	unsure map[string]bool
	// stable is the app image with which all pods have run last, without a release.
	stable   string
	triggers int
}

// run is a new process of the provider.
func (s *sequence) run(ctx context.Context) map[string]*protocol.Resource {
	served, err := acctest.Factories(s.k.Variables())["kuscia"]()
	if err != nil {
		s.t.Fatal(err)
	}
	server, types := protocol.NewServer(s.t, served).Configure(s.t, nil), map[string]*protocol.Resource{}
	server.Context = ctx
	for _, name := range applyOrder {
		types[name] = server.Resource(s.t, name)
	}
	return types
}

// plan refreshes and plans a configuration. It returns the refreshed states, the types that
// change, except that a rollout is still awaited, and those that an apply has to do with.
func (s *sequence) plan(next configuration) (states map[string]protocol.State, changed, pending []string, said map[string]string) {
	types := s.run(context.Background())
	states, said = map[string]protocol.State{}, map[string]string{}
	for _, name := range applyOrder {
		r := types[name]
		state, has := s.states[name]
		if !has {
			state = r.None()
		} else {
			read, refreshed := r.Read(s.t, state)
			state, said[name] = refreshed, protocol.Messages(read.Diagnostics)
		}
		states[name] = state
		value := r.None().Value
		if of := next[name]; of != nil {
			value = protocol.Value(r.Kind, of)
			said[name] += protocol.Messages(r.Validate(s.t, value).Diagnostics)
		}
		if value.IsNull() && state.Value.IsNull() {
			continue
		}
		prior := state
		if s.tainted[name] && !value.IsNull() {
			prior = r.None()
		}
		response, planned := r.Plan(s.t, value, prior)
		said[name] += protocol.Messages(response.Diagnostics)
		if planned.Equal(prior.Value) {
			continue
		}
		pending = append(pending, name)
		before, after := maps.Clone(protocol.Fields(prior.Value)), maps.Clone(protocol.Fields(planned))
		if !boolAt(prior, "rollout_complete") {
			delete(before, "rollout_complete")
			delete(after, "rollout_complete")
		}
		if !maps.EqualFunc(before, after, tftypes.Value.Equal) {
			changed = append(changed, name)
		}
	}
	return states, changed, pending, said
}

func failed(said map[string]string) bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(said)), func(text string) bool { return strings.Contains(text, "ERROR") })
}

// refusals are the errors that a right provider may have: during a release, or for a change
// that begins one or approves a step.
var refusals = []string{
	"Release is in progress", "Not possible during a release", "Release is about to begin", "Rollout still holds its workload", "a release may be in progress",
	"Workload is changed before its Rollout exists", "but Deployment", "Unable to approve step",
}

// command applies a configuration, until it is interrupted after a time unless that is 0, and
// checks what must be true afterwards. It reports whether the apply succeeded.
func (s *sequence) command(what string, next configuration, interrupted time.Duration) bool {
	s.t.Helper()
	releasing, _, _ := s.situation()
	if !releasing && !s.unsure[deploymentType] && s.allRun() {
		s.stable = imageOf(s.config)
	}
	versions := s.generations()
	states, _, pending, said := s.plan(next)
	s.t.note("%s: %v, changes %v", what, next, pending)
	mayRefuse := releasing || slices.Contains(pending, deploymentType) || slices.Contains(pending, approvalTypeName)
	check := func() {
		for name, text := range said {
			allowed := mayRefuse && slices.ContainsFunc(refusals, func(refusal string) bool { return strings.Contains(text, refusal) })
			if strings.Contains(text, "ERROR") && !allowed && (interrupted == 0 || !strings.Contains(text, "cancel")) {
				s.t.Errorf("%s: %s", name, text)
			}
		}
	}
	if failed(said) {
		check()
		if after := s.generations(); !maps.Equal(versions, after) {
			s.t.Errorf("a refused plan has changed objects: %v, were %v", after, versions)
		}
		return false
	}
	skipped := s.apply(states, next, pending, said, interrupted)
	check()
	for _, name := range applyOrder {
		_, has := s.states[name]
		isFailed := strings.Contains(said[name], "ERROR")
		switch {
		// A person applies again what the state has, and else what was before.
		case !isFailed, name == deploymentType, slices.Contains(skipped, name), has && !s.states[name].Value.Equal(states[name].Value):
			s.config = s.config.with(name, next[name])
		case !has || s.tainted[name]:
			s.config = s.config.with(name, nil)
		}
		s.unsure[name] = isFailed || slices.Contains(skipped, name)
	}
	s.checkComplete(said[deploymentType])
	s.verify()
	return !failed(said) && len(skipped) == 0
}

// apply carries out a plan. It returns the types with which an interrupted apply has not begun.
func (s *sequence) apply(states map[string]protocol.State, next configuration, pending []string, said map[string]string, interrupted time.Duration) (skipped []string) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if interrupted > 0 {
		defer time.AfterFunc(interrupted, cancel).Stop()
	}
	types := s.run(ctx)
	keep := func(name string, state protocol.State) {
		if s.states[name] = state; state.Value.IsNull() {
			delete(s.states, name)
			delete(s.tainted, name)
		}
	}
	for name, state := range states {
		keep(name, state)
	}
	destroy := func(name string) bool {
		gone, text := types[name].Delete(s.t, s.states[name])
		if said[name] += text; !gone.Value.IsNull() && !strings.Contains(text, "ERROR") {
			s.t.Errorf("%s: a destroy without an error keeps the state", name)
		}
		keep(name, gone)
		return gone.Value.IsNull()
	}
	order := slices.Concat(applyOrder, applyOrder)
	slices.Reverse(order[:len(applyOrder)])
	for i, name := range order {
		creates := i >= len(applyOrder)
		switch {
		case !slices.Contains(pending, name) || (next[name] != nil) != creates:
		case ctx.Err() != nil:
			skipped = append(skipped, name)
		case !creates:
			destroy(name)
		case !s.tainted[name] || destroy(name):
			prior, has := s.states[name]
			if !has {
				prior = types[name].None()
			}
			after, text := types[name].Apply(s.t, protocol.Value(types[name].Kind, next[name]), prior)
			said[name] += text
			keep(name, after)
			s.tainted[name] = !has && !after.Value.IsNull() && strings.Contains(text, "ERROR")
		}
	}
	return skipped
}

func (s *sequence) object(typeName string) *unstructured.Unstructured {
	if place, has := places[typeName]; has {
		return s.k.Get(place.kind, place.namespace, s.name)
	}
	return nil
}

func (s *sequence) workload() *unstructured.Unstructured {
	return s.k.Get(acctest.KubeDeployments, domain, s.name)
}

// situation reports whether there is a release, whether the Rollout has paused = true, and the
// step that awaits its approval, 0 for none.
func (s *sequence) situation() (releasing, suspended bool, awaits int) {
	if found := s.object(rolloutType); found != nil {
		if read, err := kruise.RolloutFrom(found.Object); err == nil {
			release := read.Release()
			releasing, suspended = release.InProgress() || release.State == kruise.Disabling, read.Spec.Strategy.Paused
			if release.State == kruise.AwaitingApproval || release.State == kruise.TimedPause {
				awaits = int(release.Step)
			}
		}
	}
	if d := s.workload(); d != nil {
		releasing = releasing || d.GetAnnotations()[kruise.InProgressingAnnotation] != ""
	}
	return releasing, suspended, awaits
}

// generations are those of the objects in the cluster.
func (s *sequence) generations() map[string]string {
	out := map[string]string{}
	for name := range places {
		if found := s.object(name); found != nil {
			out[name] = fmt.Sprint(found.GetUID(), found.GetGeneration())
		}
	}
	return out
}

// checkComplete checks that an apply that says that a new version runs is right, and that one
// that does not says why.
func (s *sequence) checkComplete(said string) {
	s.t.Helper()
	state, has := s.states[deploymentType]
	if releasing, _, _ := s.situation(); !has || s.config[deploymentType] == nil || releasing || s.unsure[deploymentType] {
		return
	}
	if complete := boolAt(state, "rollout_complete"); complete && !s.allRun() || !complete && said != "" && !strings.Contains(said, "WARNING") {
		s.t.Errorf("rollout_complete is %t, and the Deployment is %v: %s", complete, s.workload(), said)
	}
}

// allRun reports whether all pods of the Deployment run as configured.
func (s *sequence) allRun() bool {
	d := s.workload()
	if d == nil || s.config[deploymentType] == nil {
		return false
	}
	at := func(fields ...string) int64 {
		n, _, _ := unstructured.NestedInt64(d.Object, fields...)
		return n
	}
	containers, _, _ := unstructured.NestedSlice(d.Object, "spec", "template", "spec", "containers")
	image, _ := containers[0].(map[string]any)["image"].(string)
	want, tag := at("spec", "replicas"), strings.TrimPrefix(imageOf(s.config), s.images+"-")
	return at("status", "observedGeneration") == d.GetGeneration() && at("status", "updatedReplicas") == want && at("status", "availableReplicas") == want && strings.HasSuffix(image, ":"+tag)
}

func boolAt(state protocol.State, name string) (is bool) {
	value := state.At(name)
	return value.IsKnown() && !value.IsNull() && value.As(&is) == nil && is
}

// verify checks that the plan of the applied configuration is empty, and that the state has
// what the cluster has, except for the objects of which the last apply failed.
func (s *sequence) verify() {
	s.t.Helper()
	_, changed, _, said := s.plan(s.config)
	isUnsure := func(name string) bool { return s.unsure[name] }
	if changed = slices.DeleteFunc(changed, isUnsure); len(changed) > 0 || failed(said) && !slices.ContainsFunc(applyOrder, isUnsure) {
		s.t.Errorf("the next plan changes %v: %v", changed, said)
	}
	for name := range places {
		if _, inState := s.states[name]; (s.object(name) != nil) != inState && !s.unsure[name] {
			s.t.Errorf("%s: in the cluster: %t, in the state: %t", name, !inState, inState)
		}
	}
}

// eventually waits for a situation that the controllers bring about.
func (s *sequence) eventually(what string, is func() bool) {
	s.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !is(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.t.Errorf("not %s: the Rollout is %v, the Deployment %v", what, s.object(rolloutType), s.workload())
		}
	}
}

// follow begins with a deployment and its Rollout, half of the time with a release, and ends
// with a destroy.
func (s *sequence) follow(steps []step) {
	s.command("deployment", s.edit(configuration{}, deploymentType, 0), 0)
	s.command("rollout", s.edit(s.config, rolloutType, 0), 0)
	if len(steps)%2 == 0 {
		s.command("release", s.deployed(s.images+"-v1"), 0)
	}
	for _, step := range steps {
		s.do(step)
	}
	if now := s.config[rolloutType]; now != nil {
		// After an import an apply of promote_on_destroy alone stores nothing.
		allowed := merge(now, protocol.Object{"promote_on_destroy": true})
		for _, style := range []string{"canary", "blue_green"} {
			if of, is := now[style].(protocol.Object); is {
				allowed[style] = merge(of, protocol.Object{"failure_threshold": "7"})
			}
		}
		s.command("allow the end of a release", s.config.with(approvalTypeName, nil).with(rolloutType, allowed), 0)
	}
	// A release that had not begun leaves its Deployment paused, which is an error, once.
	if !s.command("destroy", configuration{}, 0) && !s.command("destroy again", configuration{}, 0) {
		s.t.Errorf("the destroy was refused twice")
	}
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

// do carries out a step.
func (s *sequence) do(of step) {
	types := []string{deploymentType, rolloutType, routingType}
	one, other := types[of.Choice%3], types[(of.Choice+1+of.Choice/3%2)%3]
	releasing, suspended, awaits := s.situation()
	switch of.Do {
	case "deployment", "rollout", "routing":
		s.command(of.Do, s.edit(s.config, types[slices.Index([]string{"deployment", "rollout", "routing"}, of.Do)], of.Choice), 0)
	case "two edits":
		s.command(of.Do, s.edit(s.edit(s.config, one, of.Choice), other, of.Choice+1), 0)
	case "interrupted": // as by the first Ctrl-C: the next apply completes it
		s.command(of.Do, s.edit(s.config, one, of.Choice), time.Duration(1+of.Choice*of.Choice)*20*time.Millisecond)
		s.command("completed", s.config, 0)
	case "again":
		s.command(of.Do, s.config, 0)
	case "destroy one":
		if one != deploymentType { // a release that has lost its Deployment may never end
			s.command(of.Do, s.config.with(one, nil), 0)
		}
	case "import":
		if s.object(one) != nil && s.config[one] != nil && !s.unsure[one] {
			id := map[bool]string{true: s.name, false: domain + "/" + s.name}[one == deploymentType]
			s.t.note("import of %s", one)
			s.states[one], _ = s.run(context.Background())[one].Import(s.t, id)
			s.verify()
		}
	case "deleted elsewhere":
		if found := s.object(one); found != nil && !releasing {
			s.t.note("%s deleted elsewhere", one)
			s.k.Delete(places[one].kind, found.GetNamespace(), s.name)
			s.eventually("gone", func() bool { return s.object(one) == nil && (one != deploymentType || s.workload() == nil) })
			s.command("create it again", s.config, 0)
		}
	case "roll back": // the release ends, and the pods have the version that ran before it
		if !releasing || s.stable == "" || s.stable == imageOf(s.config) || s.unsure[rolloutType] {
			return
		}
		if s.command(of.Do, s.deployed(s.stable), 0) && s.config[rolloutType] != nil && !suspended && s.config[rolloutType]["disabled"] != true {
			s.eventually("over and back", func() bool {
				still, _, _ := s.situation()
				return !still && s.allRun()
			})
		}
	default:
		s.approve(of, awaits)
	}
}

func merge(a, b protocol.Object) protocol.Object {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// approve approves the step at which the release is paused, or another one, or continues with
// another step than the next one.
func (s *sequence) approve(of step, at int) {
	if at == 0 && of.Do != "approve wrongly" || s.config[rolloutType] == nil {
		return
	}
	s.triggers++
	approval := protocol.Object{"namespace": domain, "name": s.name, "step": max(at, 1), "triggers": protocol.Object{"n": fmt.Sprint(s.triggers)}, "timeouts": protocol.Object{"create": "90s", "update": "90s"}}
	switch of.Do {
	case "approve wrongly":
		approval["step"] = at%2 + 1
	case "approve to":
		if approval["to_step"] = 1 + of.Choice%4; approval["to_step"] == at {
			return
		}
	}
	s.command(of.Do, s.config.with(approvalTypeName, approval), 0)
}

func imageOf(config configuration) string {
	if config[deploymentType] == nil {
		return ""
	}
	return fmt.Sprint(partyOf(config[deploymentType])["app_image"])
}

func partyOf(deployment protocol.Object) protocol.Object {
	return deployment["parties"].(protocol.Object)[domain].(protocol.Object)
}

// deployed is the configuration with another app image of the deployment.
func (s *sequence) deployed(image string) configuration {
	return s.config.with(deploymentType, withParty(s.config[deploymentType], protocol.Object{"app_image": image}))
}

func withParty(deployment, more protocol.Object) protocol.Object {
	return merge(deployment, protocol.Object{"parties": protocol.Object{domain: merge(partyOf(deployment), more)}})
}

// stepped has the steps of a style.
func stepped(variant int, more protocol.Object) protocol.Object {
	replicas := [][]string{{"50%", "100%"}, {"1", "100%"}, {"25%", "50%", "100%"}, {"25%", "50%"}}[variant%4]
	var steps []any
	for i, share := range replicas {
		of := protocol.Object{"replicas": share}
		if variant%4 == 3 && i == 0 {
			of["pause"] = protocol.Object{"duration": 1}
		}
		steps = append(steps, of)
	}
	return merge(protocol.Object{"steps": steps}, more)
}

// edit changes a resource of a configuration, or adds it.
func (s *sequence) edit(from configuration, typeName string, choice int) configuration {
	now, limits := from[typeName], protocol.Object{"create": "90s", "update": "90s", "delete": "90s"}
	change := func(more protocol.Object) configuration { return from.with(typeName, merge(now, more)) }
	style := func(name, other string, of protocol.Object) configuration {
		return change(protocol.Object{name: of, other: nil})
	}
	switch {
	case typeName == deploymentType && now == nil:
		return from.with(typeName, protocol.Object{"name": s.name, "initiator": domain, "force_conflicts": true, "timeouts": limits, "parties": protocol.Object{
			domain: protocol.Object{"app_image": s.images + "-v0", "replicas": 2},
		}})
	case typeName == deploymentType && choice < 7:
		return from.with(typeName, withParty(now, protocol.Object{"app_image": fmt.Sprintf("%s-v%d", s.images, choice%3)}))
	case typeName == deploymentType && choice < 9:
		return from.with(typeName, withParty(now, protocol.Object{"replicas": choice - 5}))
	case typeName == deploymentType:
		return change(protocol.Object{"labels": protocol.Object{"a": fmt.Sprint(choice)}})
	case typeName == routingType && now == nil:
		return from.with(typeName, protocol.Object{
			"namespace": domain, "name": s.name, "force_conflicts": true, "object_ref": []any{protocol.Object{"service": "s", "ingress": protocol.Object{"name": "i"}}}, "strategy": protocol.Object{"weight": 5},
		})
	case typeName == routingType:
		return change(protocol.Object{"strategy": protocol.Object{"weight": 10 + choice}})
	case now == nil:
		return from.with(typeName, protocol.Object{"namespace": domain, "name": s.name, "workload_ref": protocol.Object{"name": s.name}, "force_conflicts": true, "timeouts": limits, "canary": stepped(0, nil)})
	case choice < 3:
		return style("canary", "blue_green", stepped(choice+s.triggers, nil))
	case choice < 5:
		return style("blue_green", "canary", stepped(choice, nil))
	case choice == 5:
		return style("canary", "blue_green", stepped(0, protocol.Object{"enable_extra_workload_for_canary": true}))
	case choice == 6 && from[routingType] != nil:
		return style("canary", "blue_green", stepped(0, protocol.Object{"traffic_routing_ref": s.name}))
	default:
		name := []string{"paused", "disabled", "promote_on_destroy"}[choice%3]
		is, _ := now[name].(bool)
		return change(protocol.Object{name: !is})
	}
}
