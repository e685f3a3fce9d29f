package review

import "strings"

// Release is a kuscia_rollout or kuscia_rollout_approval that changes.
type Release struct {
	Address string `json:"address"`
	Action  Action `json:"action"`
	Kind    string `json:"type"`
	// Name is that of the Rollout, with its namespace.
	Name string `json:"name"`
	// Steps are the replicas of each step, or for an approval the approved step.
	Steps Pair `json:"steps"`
	// Changed are the attributes that change.
	Changed List[string] `json:"changed"`
}

const (
	rolloutKind  = "kuscia_rollout"
	approvalKind = "kuscia_rollout_approval"
)

func (b *builder) releases() {
	for _, kind := range []string{rolloutKind, approvalKind} {
		for _, o := range b.byKind[kind] {
			if !o.touched() {
				continue
			}
			r := Release{Address: o.address, Action: o.action, Kind: kind, Name: rolloutName(o.latest(), "name"), Steps: Pair{Before: stepsOf(o.before), After: stepsOf(o.after)}}
			if o.action == Update {
				r.Changed = changedPaths(o.before, o.after, 6)
			}
			b.report.Releases = append(b.report.Releases, r)
			b.findRelease(*o, r)
		}
	}
}

func rolloutName(v value, name string) string {
	return v.at("namespace").text() + "/" + v.at(name).text()
}

// stepsOf are the steps of a Rollout, or the step that an approval approves.
func stepsOf(v value) string {
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

// rollouts are the steps of enabled Rollouts, by the namespace and name of their
// Deployment.
func (b *builder) rollouts() map[string]string {
	all := map[string]string{}
	for _, o := range b.byKind[rolloutKind] {
		if o.after.raw != nil && o.after.at("disabled").text() != "true" {
			all[o.after.at("namespace").text()+"/"+o.after.at("workload_ref", "name").text()] = stepsOf(o.after)
		}
	}
	return all
}

func (b *builder) findRelease(o object, r Release) {
	f := Finding{Address: r.Address, Effect: r.phrase()}
	approves := r.Kind == approvalKind && (r.Action == Create || r.Action == Update || r.Action == Replace)
	if approves {
		f.kind, f.Categories, f.subject = stepApproved, []Category{Released}, concat(show(r.Steps.After), say(" of "), show(r.Name))
		b.find(f)
		return
	}
	b.findOther(o, f)
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
