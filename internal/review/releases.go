package review

import (
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/category"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
)

// Release is a kuscia_rollout, kuscia_rollout_approval or kuscia_traffic_routing that changes.
type Release struct {
	Address string      `json:"address"`
	Action  plan.Action `json:"action"`
	Kind    string      `json:"type"`
	// Name is that of the Rollout, with its namespace.
	Name string `json:"name"`
	// Steps are the replicas of each step, for an approval the approved step, or for a
	// routing of traffic its weight.
	Steps plan.Pair `json:"steps"`
	// Changed are the attributes that change.
	Changed List[string] `json:"changed"`

	cause phrase.Phrase
	// turnsOff: what it controls is no longer released step by step.
	turnsOff bool
}

const (
	rolloutKind  = "kuscia_rollout"
	approvalKind = "kuscia_rollout_approval"
	trafficKind  = "kuscia_traffic_routing"
)

func (b *builder) releases() {
	for _, kind := range []string{rolloutKind, approvalKind, trafficKind} {
		for _, o := range b.byKind[kind] {
			if !o.Touched() {
				continue
			}
			r := Release{Address: o.Address, Action: o.Action, Kind: kind, Name: objectName(o.Latest()), Steps: plan.Pair{Before: stepsOf(o.Before), After: stepsOf(o.After)}, cause: o.Cause()}
			if o.Action == plan.Update {
				r.Changed = plan.ChangedPaths(o.Before, o.After, 6)
			}
			isOff := disabled(o.Before) == plan.No && disabled(o.After) != plan.No
			r.turnsOff = kind == rolloutKind && (o.Action == plan.Delete || o.Action == plan.Replace || o.Action == plan.Update && isOff)
			b.report.Releases = append(b.report.Releases, r)
			b.findRelease(*o, r)
		}
	}
}

// objectName is the name of a Kubernetes object with its namespace.
func objectName(v plan.Value) string {
	return v.At("namespace").Text() + "/" + v.At("name").Text()
}

// stepsOf are the steps of a Rollout, the step that an approval approves, or the weight of a
// routing of traffic.
func stepsOf(v plan.Value) string {
	if weight := v.At("strategy", "weight"); weight.Exists() {
		return weight.Text()
	}
	if step := v.At("step"); step.Exists() {
		if to := v.At("to_step"); to.Raw != nil {
			return step.Text() + " to " + to.Text()
		}
		return step.Text()
	}
	for _, strategy := range []string{"canary", "blue_green"} {
		steps := v.At(strategy, "steps")
		var all []string
		for _, key := range steps.Keys() {
			text := steps.At(key, "replicas").Text()
			if traffic := steps.At(key, "traffic").Text(); traffic != "" {
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
	controls := func(v plan.Value) deploymentID {
		return deploymentID{namespace: v.At("namespace").ID(), name: v.At("workload_ref", "name").ID()}
	}
	for _, o := range b.byKind[rolloutKind] {
		id := controls(o.After)
		if (o.Action == plan.None || o.Action == plan.Update) && controls(o.Before) == id && disabled(o.Before) == plan.No && disabled(o.After) == plan.No {
			id.provider = o.Provider
			all[id] = stepsOf(o.After)
		}
	}
	return all
}

func disabled(rollout plan.Value) plan.Certainty { return rollout.At("disabled").Is(plan.Equals(true)) }

func (b *builder) findRelease(o plan.Object, r Release) {
	f := Finding{Address: r.Address, Effect: r.phrase()}
	switch {
	case o.Action == plan.Forget, o.Action == plan.Delete && r.Kind == approvalKind, o.Action == plan.Create && r.Kind == rolloutKind, !o.Sends():
		b.findOther(o, f)
		return
	case r.Kind == approvalKind:
		f.kind, f.subject = stepApproved, phrase.Say("{} of {}", phrase.Show(r.Steps.After), phrase.Show(r.Name))
	case r.Kind == trafficKind:
		f.kind, f.subject = trafficRouted, phrase.Say("{} ({})", phrase.Show(r.Name), r.traffic())
	case r.turnsOff:
		f.kind, f.subject = releaseEnds, phrase.Show(r.Name)
	default:
		f.kind, f.subject = releaseChanges, phrase.Show(r.Name)
	}
	f.Categories = []category.Category{category.Released}
	switch {
	case r.Kind == approvalKind:
	case o.Action == plan.Delete:
		f.Categories = append(f.Categories, category.Destroy)
	case o.Action == plan.Replace:
		f.Categories = append(f.Categories, category.Replaced)
	}
	b.find(f)
}

// phrase says what happens to a release.
func (r Release) phrase() phrase.Phrase {
	approval := r.Kind == approvalKind
	switch {
	case approval && r.Action != plan.Delete && r.Action != plan.Forget:
		return phrase.Say("approves step {}", phrase.Show(r.Steps.After))
	case approval:
		return phrase.Say("the approval is removed; the release goes on")
	case r.Kind == trafficKind && r.Action == plan.Delete:
		return phrase.Say("{}. A release in progress keeps it, and the apply is refused then", r.traffic())
	case r.Kind == trafficKind:
		return r.traffic()
	}
	text := phrase.Say(actionWords[r.Action])
	if len(r.Changed) > 0 {
		text = phrase.Say("changes: {}", phrase.Join(", ", phrase.Values(r.Changed, 5)...))
	}
	if len(r.cause) > 0 {
		text = phrase.Say("{}, because of {}", text, r.cause)
	}
	switch {
	case r.turnsOff:
		return phrase.Say("{}; from then on all pods are updated without steps. If a release is in progress, all pods get the new version at once, or without {} the apply is refused", text, phrase.Show("promote_on_destroy"))
	case r.Action == plan.Create:
		return phrase.Say("{}; updates from the next plan on are step by step, those of this plan are not", text)
	}
	return text
}

// traffic says which requests go to the new version.
func (r Release) traffic() phrase.Phrase {
	share := func(weight string) phrase.Phrase {
		switch weight {
		case "":
			return phrase.Say("requests by other rules than a weight")
		case "0":
			return phrase.Say("no requests")
		case "100":
			return phrase.Say("all requests")
		}
		return phrase.Say("{} of 100 requests", plan.Shown(weight))
	}
	switch r.Action {
	case plan.Create:
		return phrase.Say("created; to the new version during a release: {}", share(r.Steps.After))
	case plan.Delete:
		return phrase.Say("removed; to the new version until then: {}", share(r.Steps.Before))
	case plan.Forget:
		return phrase.Say(actionWords[r.Action])
	}
	if r.Steps.Before == r.Steps.After && len(r.Changed) > 0 {
		return phrase.Say("changes: {}", phrase.Join(", ", phrase.Values(r.Changed, 5)...))
	}
	return phrase.Say("to the new version: {}, before {}", share(r.Steps.After), share(r.Steps.Before))
}
