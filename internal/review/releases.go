package review

import "strings"

// Release is a kuscia_rollout, kuscia_rollout_approval or kuscia_traffic_routing that changes.
type Release struct {
	Address string `json:"address"`
	Action  Action `json:"action"`
	Kind    string `json:"type"`
	// Name is that of the Rollout, with its namespace.
	Name string `json:"name"`
	// Steps are the replicas of each step, for an approval the approved step, or for a
	// routing of traffic its weight.
	Steps Pair `json:"steps"`
	// Changed are the attributes that change.
	Changed List[string] `json:"changed"`
}

const (
	rolloutKind  = "kuscia_rollout"
	approvalKind = "kuscia_rollout_approval"
	trafficKind  = "kuscia_traffic_routing"
)

func (b *builder) releases() {
	for _, kind := range []string{rolloutKind, approvalKind, trafficKind} {
		for _, o := range b.byKind[kind] {
			if !o.touched() {
				continue
			}
			r := Release{Address: o.address, Action: o.action, Kind: kind, Name: objectName(o.latest()), Steps: Pair{Before: stepsOf(o.before), After: stepsOf(o.after)}}
			if o.action == Update {
				r.Changed = changedPaths(o.before, o.after, 6)
			}
			b.report.Releases = append(b.report.Releases, r)
			b.findRelease(*o, r)
		}
	}
}

// objectName is the name of a Kubernetes object with its namespace.
func objectName(v value) string {
	return v.at("namespace").text() + "/" + v.at("name").text()
}

// stepsOf are the steps of a Rollout, the step that an approval approves, or the weight of a
// routing of traffic.
func stepsOf(v value) string {
	if weight := v.at("strategy", "weight"); weight.exists() {
		return weight.text()
	}
	if step := v.at("step"); step.exists() {
		if to := v.at("to_step"); to.raw != nil {
			return step.text() + " to " + to.text()
		}
		return step.text()
	}
	for _, strategy := range []string{"canary", "blue_green"} {
		steps := v.at(strategy, "steps")
		var all []string
		for _, key := range steps.keys() {
			text := steps.at(key, "replicas").text()
			if traffic := steps.at(key, "traffic").text(); traffic != "" {
				text += " (traffic " + traffic + ")"
			}
			all = append(all, text)
		}
		if len(all) > 0 {
			return strings.Join(all, ", ")
		}
	}
	return ""
}

// rollouts are the steps of the Rollouts that control a Deployment during the whole apply: they
// exist before and after it, and are enabled.
func (b *builder) rollouts() map[deploymentID]string {
	all := map[deploymentID]string{}
	controls := func(v value) deploymentID {
		return deploymentID{namespace: v.at("namespace").id(), name: v.at("workload_ref", "name").id()}
	}
	for _, o := range b.byKind[rolloutKind] {
		id := controls(o.after)
		if (o.action == None || o.action == Update) && controls(o.before) == id && disabled(o.before) == no && disabled(o.after) == no {
			id.provider = o.provider
			all[id] = stepsOf(o.after)
		}
	}
	return all
}

func disabled(rollout value) certainty { return rollout.at("disabled").is(equals(true)) }

func (b *builder) findRelease(o object, r Release) {
	f := Finding{Address: r.Address, Effect: r.phrase()}
	switch {
	case o.action == Forget, o.action == Delete && r.Kind == approvalKind, o.action == Create && r.Kind == rolloutKind, !o.sends():
		b.findOther(o, f)
		return
	case r.Kind == approvalKind:
		f.kind, f.subject = stepApproved, concat(show(r.Steps.After), say(" of "), show(r.Name))
	case r.Kind == trafficKind:
		f.kind, f.subject = trafficRouted, show(r.Name)
	default:
		f.kind, f.subject = releaseChanges, show(r.Name)
	}
	f.Categories = []Category{Released}
	switch {
	case r.Kind == approvalKind:
	case o.action == Delete:
		f.Categories = append(f.Categories, Destroy)
	case o.action == Replace:
		f.Categories = append(f.Categories, Replaced)
	}
	b.find(f)
}

// phrase says what happens to a release.
func (r Release) phrase() phrase {
	approval := r.Kind == approvalKind
	switch {
	case approval && r.Action != Delete && r.Action != Forget:
		return concat(say("approves step "), show(r.Steps.After))
	case approval:
		return say("the approval is removed; the release goes on")
	case len(r.Changed) > 0:
		return concat(say("changes: "), join(", ", values(r.Changed, 5)...))
	}
	return say(actionWords[r.Action])
}
