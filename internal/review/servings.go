package review

import (
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/appconfig"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/category"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/strategy"
)

// Effect is what happens to a serving or one of its parties.
type Effect string

// The effects, from the least to the worst.
const (
	EffectNone      Effect = "none"
	EffectForgotten Effect = "no longer managed"
	EffectStarts    Effect = "starts"
	EffectScales    Effect = "scales"
	EffectSteps     Effect = "restarts step by step"
	EffectRestarts  Effect = "restarts"
	EffectReplaced  Effect = "replaced" // it did not run
	// EffectMayStop and EffectMayInterrupt are of values that are unknown or sensitive.
	EffectMayStop      Effect = "may stop"
	EffectMayInterrupt Effect = "may be interrupted"
	EffectStops        Effect = "stops" // no pod is left
	EffectInterrupted  Effect = "interrupted"
	EffectEnds         Effect = "ends"
)

var effects = []Effect{
	EffectNone, EffectForgotten, EffectStarts, EffectScales, EffectSteps, EffectRestarts, EffectReplaced,
	EffectMayStop, EffectMayInterrupt, EffectStops, EffectInterrupted, EffectEnds,
}

func (e Effect) rank() int { return slices.Index(effects, e) }

// caused reports whether the effect is that of a cause, which its phrase has.
func (e Effect) caused() bool {
	return slices.Contains([]Effect{EffectSteps, EffectRestarts, EffectReplaced, EffectMayInterrupt, EffectInterrupted, EffectEnds}, e)
}

func worse(a, b Effect) Effect {
	if a.rank() >= b.rank() {
		return a
	}
	return b
}

// Serving is a kuscia_serving or kuscia_deployment that changes.
type Serving struct {
	Address string `json:"address"`
	// Kind is the type of the resource.
	Kind   string      `json:"type"`
	Name   string      `json:"name"`
	Action plan.Action `json:"action"`
	Effect Effect      `json:"effect"`
	// Cause is why it restarts, is replaced, or ends for another one: names of attributes.
	Cause   phrase.Phrase `json:"cause"`
	Parties List[Party]   `json:"parties"`

	restarts bool // any party does
	// successor is what takes its place, if it has a name.
	successor phrase.Phrase
	// hidesParties: its parties are sensitive.
	hidesParties bool
}

// Party is a party of a serving.
type Party struct {
	Key    string `json:"key"`
	Domain string `json:"domain"`
	Role   string `json:"role"`
	// Action: a party is created, updated or deleted with its serving.
	Action   plan.Action `json:"action"`
	AppImage plan.Pair   `json:"app_image"`
	Image    plan.Pair   `json:"image"`
	Model    plan.Pair   `json:"model"`
	Replicas plan.Pair   `json:"replicas"`
	Effect   Effect      `json:"effect"`
	// Steps are those of the Rollout by which it restarts.
	Steps string `json:"steps,omitempty"`

	onlyApp bool // its image is not in the plan, only its app image
	// newApp: it gets an app image that is not in the plan.
	newApp bool
}

// workload is a serving or deployment while its report is made.
type workload struct {
	*plan.Object
	name       string
	config     string // the name of the attribute with the configuration text
	text       appconfig.Change
	images     map[appImageID]plan.Pair
	rollouts   map[deploymentID]string
	restartAll []string
	parties    []partyChange
	// oneSided are the keys of parties that are there only before or only after the change.
	oneSided map[string]bool
}

func (b *builder) servings() {
	images, rollouts, others := b.appImages(), b.rollouts(), b.otherPrograms()
	for _, kind := range []string{"kuscia_serving", "kuscia_deployment"} {
		for _, o := range b.byKind[kind] {
			w := newWorkload(o, images, rollouts)
			for i := range w.parties {
				p := &w.parties[i]
				p.newApp = p.AppImage.Changed() && b.isElsewhere(p.pair.after.At("app_image").Name(), o.Provider)
			}
			b.workloadsAt[w.Index] = &w
			if whole, isHalf := o.Whole(); isHalf {
				of := newWorkload(&whole, images, rollouts)
				b.workloadsAt[whole.Index] = &of
			}
			if id := o.Latest().At("serving_id").ID(); id != "" {
				b.servingsAt[id] = append(b.servingsAt[id], len(b.workloads))
			}
			b.workloads = append(b.workloads, w)
			b.useImages(w)
			if isRemoved := b.noteRemovedImage(w); !o.Touched() {
				if !isRemoved {
					b.noteOldImage(w, others)
				}
				continue
			}
			s := w.serving()
			b.report.Servings = append(b.report.Servings, s)
			b.findServing(s)
		}
	}
	slices.SortStableFunc(b.report.Servings, func(x, y Serving) int { return y.Effect.rank() - x.Effect.rank() })
}

func newWorkload(o *plan.Object, images map[appImageID]plan.Pair, rollouts map[deploymentID]string) workload {
	w := workload{Object: o, config: "serving_input_config", images: images, rollouts: rollouts}
	if o.Kind == "kuscia_deployment" {
		w.config = "input_config"
	}
	w.name = o.Name("serving_id", "name")
	w.text = appconfig.ReadChange(o.Before.At(w.config), o.After.At(w.config))
	if o.Action == plan.Update {
		w.restartAll = w.restartCauses()
	}
	w.parties, w.oneSided = w.partyChanges(), map[string]bool{}
	for _, p := range w.parties {
		w.oneSided[p.Key] = p.pair.before.Exists() != p.pair.after.Exists()
	}
	return w
}

// isElsewhere reports whether an app image is not in the plan.
func (b *builder) isElsewhere(name, provider string) bool {
	return name != "" && len(ofProvider(b.uses.apps[name], provider)) == 0
}

// shown are the parties that may be shown.
func (w workload) shown() []partyChange {
	if w.Before.At("parties").WholeSensitive() || w.After.At("parties").WholeSensitive() {
		return nil
	}
	return w.parties
}

// restartCauses are the changes that restart every party.
func (w workload) restartCauses() []string {
	var causes []string
	if w.Changes(w.config) && w.text.Differs {
		causes = append(causes, w.text.Causes(w.config)...)
	}
	if version := w.config + "_wo_version"; w.Changes(version) {
		causes = append(causes, version)
	}
	before, after := w.Before.At("redeploy_triggers"), w.After.At("redeploy_triggers")
	// Which part of it changes is not known, or not to be said.
	if plan.Differs(before, after) && (before.WholeSensitive() || after.WholeSensitive() || after.IsUnknown()) {
		causes = append(causes, "redeploy_triggers")
	}
	for _, key := range after.Keys() {
		if before.At(key).Exists() && plan.Differs(before.At(key), after.At(key)) {
			causes = append(causes, "redeploy_triggers."+key)
		}
	}
	return append(causes, w.followedImages()...)
}

// followedImages are the parties whose app image has a new image, if nothing else changes and the
// plan does not say whose pods are new: every party may restart.
func (w workload) followedImages() []string {
	var images []string
	for _, p := range w.partyPairs() {
		for _, attribute := range p.before.AllKeys() {
			before, after := p.before.At(attribute), p.after.At(attribute)
			switch {
			case !plan.Differs(before, after), plan.IsUnset(before) && plan.IsUnset(after):
			case attribute == "image":
				images = append(images, w.partyPath(p, attribute))
			default:
				return nil // this change reaches the pods, and with it the new image
			}
		}
	}
	return images
}

func (w workload) serving() Serving {
	s := Serving{Address: w.Address, Kind: w.Kind, Name: w.name, Action: w.Action, Effect: EffectNone, Cause: w.Cause(), successor: w.Successor()}
	causes := slices.Clone(w.restartAll)
	for _, p := range w.parties {
		s.Effect = worse(s.Effect, p.Effect)
		causes = append(causes, p.causes...)
		s.restarts = s.restarts || p.restarts
	}
	for _, p := range w.shown() {
		s.Parties = append(s.Parties, p.Party)
	}
	s.hidesParties = len(s.Parties) < len(w.parties)
	if len(w.parties) == 0 {
		s.Effect = w.effect(partyPair{}, nil)
	}
	if w.Action == plan.Update {
		s.Cause = phrase.Join(", ", phrase.Values(compact(causes), 4)...)
		s.restarts = s.restarts || len(w.parties) == 0 && len(causes) > 0
	}
	return s
}

// compact sorts and leaves out what is there twice.
func compact(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// effect is what happens to a party, of which these attributes change.
func (w workload) effect(p partyPair, causes []string) Effect {
	switch w.Action {
	case plan.Create:
		return EffectStarts
	case plan.Forget:
		return EffectForgotten
	case plan.Delete, plan.Replace:
		// One that nobody waited for may run.
		failed := w.Before.At("rollout_complete").Raw == false && w.Before.At("wait_for_rollout").Raw != false
		switch {
		case w.Reason == "replace_because_tainted" && failed: // also by one of another identity
			return EffectReplaced
		case w.Action == plan.Delete:
			return EffectEnds
		}
		return EffectInterrupted
	case plan.None:
		return EffectNone
	}
	effect := EffectNone
	if w.restarts(p, causes) {
		effect = w.restart(p)
	}
	switch {
	case p.after.Exists() && !p.before.Exists():
		return EffectStarts
	case p.before.Exists() && !p.after.Exists():
		return worse(effect, EffectStops)
	}
	return worse(effect, scaling(p.before.At("replicas"), p.after.At("replicas")))
}

// restarts reports whether a party gets new pods: the plan says so where it has their revision.
func (w workload) restarts(p partyPair, causes []string) bool {
	before, after := p.before.At(podRevision), p.after.At(podRevision)
	if before.Raw != nil && after.Raw != nil {
		return plan.Differs(before, after)
	}
	return len(causes)+len(w.restartAll) > 0
}

// restart is what happens to a party that gets new pods.
func (w workload) restart(p partyPair) Effect {
	before := p.before.Value
	if w.Kind == "kuscia_serving" { // without a strategy it gets the default
		before = plan.Value{}
	}
	nothingRan := p.before.At("replicas").Raw == 0.0
	switch stops := strategy.StopsAll(before, p.after.Value); {
	case nothingRan:
	case stops == plan.Yes:
		return EffectInterrupted
	case stops == plan.Maybe:
		return EffectMayInterrupt
	}
	if _, ok := w.steps(p); ok {
		return EffectSteps
	}
	return EffectRestarts
}

// scaling is what another number of replicas does.
func scaling(before, after plan.Value) Effect {
	if !plan.Differs(before, after) {
		return EffectNone
	}
	// Where nothing runs, nothing stops.
	if before.Raw == 0.0 {
		return EffectScales
	}
	switch after.Is(plan.Equals(0.0)) {
	case plan.Yes:
		return EffectStops
	case plan.Maybe:
		return EffectMayStop
	}
	return EffectScales
}

// deploymentID identifies the Deployment of a party.
type deploymentID struct{ provider, namespace, name string }

// steps are those of the Rollout that controls a party's Deployment, if there is one.
func (w workload) steps(p partyPair) (string, bool) {
	id := deploymentID{provider: w.Provider, namespace: p.after.domain().ID(), name: w.Latest().At(w.idAttribute()).ID()}
	if role := p.after.At("role").ID(); role != "" {
		id.name += "-" + role
	}
	if p.after.At("role").IsUnknown() || id.provider == "" || id.namespace == "" || id.name == "" {
		return "", false
	}
	steps, ok := w.rollouts[id]
	return steps, ok
}

func (w workload) idAttribute() string {
	if w.Kind == "kuscia_deployment" {
		return "name"
	}
	return "serving_id"
}

// redeploys keeps what an action restarts, beside what the plan restarts itself.
func (b *builder) redeploys(id plan.Value) {
	if b.restarted[id.ID()] { // by another action
		return
	}
	b.restarted[id.ID()] = true
	for _, at := range b.servingsAt[id.ID()] {
		w := b.workloads[at]
		if w.Touched() {
			continue
		}
		parties := slices.Clone(w.parties)
		for i := range parties {
			p := &parties[i]
			p.Effect, p.restarts = w.restart(partyPair{before: p.pair.after, after: p.pair.after}), true
		}
		w.parties = parties
		b.redeployed = append(b.redeployed, w)
		s := w.serving()
		s.Action = plan.Update
		b.report.redeployed = append(b.report.redeployed, s)
	}
}

func (b *builder) findServing(s Serving) {
	f := Finding{Address: s.Address, Effect: s.phrase(), subject: phrase.Show(s.Name)}
	switch s.Effect {
	case EffectEnds:
		f.kind, f.Categories = servingEnds, []category.Category{category.Destroy, category.Interrupted}
	case EffectInterrupted, EffectStops:
		f.kind, f.Categories = servingInterrupted, []category.Category{category.Interrupted}
	case EffectMayInterrupt, EffectMayStop:
		f.kind, f.Categories = servingMayStop, []category.Category{category.Interrupted}
	case EffectReplaced:
		f.kind = servingReplaced
	case EffectRestarts:
		f.kind = servingRestarts
	case EffectSteps:
		f.kind = servingSteps
	case EffectScales:
		f.kind = servingScales
	case EffectStarts:
		if f.kind = servingStarts; s.Action == plan.Update { // it runs already
			f = s.joined()
		}
	case EffectForgotten:
		f.kind, f.Categories, f.subject = otherForgotten, []category.Category{category.Forgotten}, phrase.Say("the serving {}", phrase.Show(s.Name))
	default:
		f.kind = servingChanges
	}
	if s.restarts {
		f.Categories = append(f.Categories, category.Restarted)
	}
	if s.Action == plan.Replace {
		f.Categories = append(f.Categories, category.Replaced)
	}
	b.find(f)
	if f.kind != servingJoined && len(s.newParties()) > 0 {
		b.find(s.joined())
	}
}

// newParties are the domains of the parties that a serving gets.
func (s Serving) newParties() []phrase.Phrase {
	var all []phrase.Phrase
	for _, p := range s.Parties {
		if s.Action != plan.Create && p.Action == plan.Create {
			all = append(all, plan.Shown(p.Domain))
		}
	}
	return all
}

// joined is the finding that a serving gets parties.
func (s Serving) joined() Finding {
	name := phrase.Show(s.Name)
	var subject phrase.Phrase
	switch parties := s.newParties(); len(parties) {
	case 0: // which one is not shown
		subject = phrase.Say("a party to the serving {}", name)
	case 1:
		subject = phrase.Say("the party of {} to the serving {}", parties[0], name)
	default:
		subject = phrase.Say("the parties of {} to the serving {}", phrase.And(phrase.First(parties, maxNamed)...), name)
	}
	return Finding{Address: s.Address, Effect: phrase.Say("adds {}", subject), kind: servingJoined, subject: subject}
}

// phrase says what happens to a serving.
func (s Serving) phrase() phrase.Phrase {
	switch {
	case s.hidesParties && s.Effect == EffectStops:
		return phrase.Say("interrupted: all pods of a party stop")
	case s.hidesParties && s.Effect == EffectMayStop:
		return phrase.Say("may be interrupted: all pods of a party may stop")
	}
	return s.Effect.phrase(s.Action, s.Cause)
}

// sentences are what an effect says, and with its cause.
var sentences = map[Effect][2]phrase.Words{
	EffectMayInterrupt: {"may be interrupted: restarts; update_strategy may stop all pods first", "may be interrupted: restarts, because of {}; update_strategy may stop all pods first"},
	EffectInterrupted:  {"interrupted: replaced", "interrupted: replaced, because of {}"},
	EffectReplaced:     {"replaced", "replaced, because of {}"},
	EffectRestarts:     {"restarts without an interruption", "restarts without an interruption, because of {}"},
	EffectSteps:        {"restarts step by step", "restarts step by step, because of {}"},
	EffectMayStop:      {"may be interrupted: may scale to 0"},
	EffectStops:        {"interrupted: scales to 0"},
	EffectScales:       {"scales, nothing restarts"},
	EffectStarts:       {"starts"},
	EffectEnds:         {"ends", "ends, because of {}"},
	EffectForgotten:    {"stays, no longer managed"},
	EffectNone:         {"nothing restarts"},
}

// stopsFirst is an interruption by an update.
var stopsFirst = [2]phrase.Words{"interrupted: restarts; update_strategy stops all pods first", "interrupted: restarts, because of {}; update_strategy stops all pods first"}

func (e Effect) phrase(action plan.Action, cause phrase.Phrase) phrase.Phrase {
	text := sentences[e]
	if e == EffectInterrupted && action == plan.Update {
		text = stopsFirst
	}
	if text[1] == "" || len(cause) == 0 {
		return phrase.Say(text[0])
	}
	return phrase.Say(text[1], cause)
}
