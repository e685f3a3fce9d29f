package review

import "slices"

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
	EffectStops        Effect = "stops" // no pod is left
	EffectMayInterrupt Effect = "may be interrupted"
	EffectInterrupted  Effect = "interrupted"
	EffectEnds         Effect = "ends"
)

var effects = []Effect{
	EffectNone, EffectForgotten, EffectStarts, EffectScales, EffectSteps, EffectRestarts, EffectReplaced,
	EffectMayStop, EffectStops, EffectMayInterrupt, EffectInterrupted, EffectEnds,
}

func (e Effect) rank() int { return slices.Index(effects, e) }

// caused reports whether the effect is that of a cause, which its phrase has.
func (e Effect) caused() bool {
	return slices.Contains([]Effect{EffectSteps, EffectRestarts, EffectReplaced, EffectMayInterrupt, EffectInterrupted}, e)
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
	Kind   string `json:"type"`
	Name   string `json:"name"`
	Action Action `json:"action"`
	Effect Effect `json:"effect"`
	// Cause is why it restarts or is replaced: names of attributes.
	Cause   phrase      `json:"cause"`
	Parties List[Party] `json:"parties"`

	restarts bool // any party does
}

// Party is a party of a serving.
type Party struct {
	Key    string `json:"key"`
	Domain string `json:"domain"`
	Role   string `json:"role"`
	// Action: a party is created, updated or deleted with its serving.
	Action   Action `json:"action"`
	AppImage Pair   `json:"app_image"`
	Image    Pair   `json:"image"`
	Model    Pair   `json:"model"`
	Replicas Pair   `json:"replicas"`
	Effect   Effect `json:"effect"`
	// Steps are those of the Rollout by which it restarts.
	Steps string `json:"steps,omitempty"`
}

// workload is a serving or deployment while its report is made.
type workload struct {
	*object
	name       string
	config     string // the name of the attribute with the configuration text
	text       configChange
	images     map[appImageID]Pair
	rollouts   map[deploymentID]string
	restartAll []string
	parties    []partyChange
}

func (b *builder) servings() {
	images, rollouts := b.appImages(), b.rollouts()
	for _, kind := range []string{"kuscia_serving", "kuscia_deployment"} {
		for _, o := range b.byKind[kind] {
			w := newWorkload(o, images, rollouts)
			b.workloads = append(b.workloads, w)
			if !o.touched() {
				b.noteOldImage(w)
				continue
			}
			s := w.serving()
			b.report.Servings = append(b.report.Servings, s)
			b.findServing(s)
		}
	}
	slices.SortStableFunc(b.report.Servings, func(x, y Serving) int { return y.Effect.rank() - x.Effect.rank() })
}

func newWorkload(o *object, images map[appImageID]Pair, rollouts map[deploymentID]string) workload {
	w := workload{object: o, config: "serving_input_config", images: images, rollouts: rollouts}
	if o.kind == "kuscia_deployment" {
		w.config = "input_config"
	}
	w.name = o.name("serving_id", "name")
	w.text = readConfigs(o.before.at(w.config), o.after.at(w.config))
	if o.action == Update {
		w.restartAll = w.restartCauses()
	}
	w.parties = w.partyChanges()
	return w
}

// shown are the parties that may be shown.
func (w workload) shown() []partyChange {
	if w.before.at("parties").wholeSensitive() || w.after.at("parties").wholeSensitive() {
		return nil
	}
	return w.parties
}

// restartCauses are the changes that restart every party.
func (w workload) restartCauses() []string {
	var causes []string
	if w.changes(w.config) && w.text.differs {
		causes = append(causes, w.text.causes(w.config)...)
	}
	if version := w.config + "_wo_version"; w.changes(version) {
		causes = append(causes, version)
	}
	before, after := w.before.at("redeploy_triggers"), w.after.at("redeploy_triggers")
	// Which part of it changes is not known, or not to be said.
	if differs(before, after) && (before.wholeSensitive() || after.wholeSensitive() || after.isUnknown()) {
		causes = append(causes, "redeploy_triggers")
	}
	for _, key := range after.keys() {
		if before.at(key).exists() && differs(before.at(key), after.at(key)) {
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
		for _, attribute := range p.before.allKeys() {
			before, after := p.before.at(attribute), p.after.at(attribute)
			switch {
			case !differs(before, after), isUnset(before) && isUnset(after):
			case attribute == "image":
				images = append(images, w.partyPath(p, attribute))
			default:
				return nil // this change reaches the pods, and with it the new image
			}
		}
	}
	return images
}

// isUnset reports whether a value is null or "", which are the same to the provider.
func isUnset(v value) bool { return !v.isUnknown() && (v.raw == nil || v.raw == "") }

func (w workload) serving() Serving {
	s := Serving{Address: w.address, Kind: w.kind, Name: w.name, Action: w.action, Effect: EffectNone, Cause: w.cause()}
	causes := slices.Clone(w.restartAll)
	for _, p := range w.parties {
		s.Effect = worse(s.Effect, p.Effect)
		causes = append(causes, p.causes...)
	}
	for _, p := range w.shown() {
		s.Parties = append(s.Parties, p.Party)
	}
	if len(w.parties) == 0 {
		s.Effect = w.effect(partyPair{}, nil)
	}
	if w.action == Update {
		s.Cause = join(", ", values(compact(causes), 4)...)
		s.restarts = len(causes) > 0
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
	switch w.action {
	case Create:
		return EffectStarts
	case Delete:
		return EffectEnds
	case Forget:
		return EffectForgotten
	case Replace:
		// One that nobody waited for may run.
		failed := w.before.at("rollout_complete").raw == false && w.before.at("wait_for_rollout").raw != false
		if w.reason == "replace_because_tainted" && failed {
			return EffectReplaced
		}
		return EffectInterrupted
	case None:
		return EffectNone
	}
	effect := EffectNone
	if len(causes)+len(w.restartAll) > 0 {
		effect = w.restart(p)
	}
	switch {
	case p.after.exists() && !p.before.exists():
		return EffectStarts
	case p.before.exists() && !p.after.exists():
		return worse(effect, EffectStops)
	}
	return worse(effect, scaling(p.before.at("replicas"), p.after.at("replicas")))
}

// restart is what happens to a party that gets new pods.
func (w workload) restart(p partyPair) Effect {
	before := p.before.value
	if w.kind == "kuscia_serving" { // without a strategy it gets the default
		before = value{}
	}
	switch stopsAll(before, p.after.value) {
	case yes:
		return EffectInterrupted
	case maybe:
		return EffectMayInterrupt
	}
	if _, ok := w.steps(p); ok {
		return EffectSteps
	}
	return EffectRestarts
}

// stopsAll reports whether an update of a party stops all pods before new ones start. A
// strategy that the configuration has no longer stays.
func stopsAll(before, after value) certainty {
	strategy := after.at("update_strategy")
	if !strategy.exists() {
		strategy = before.at("update_strategy")
	}
	return strategy.at("type").is(equals("Recreate"))
}

// scaling is what another number of replicas does.
func scaling(before, after value) Effect {
	if !differs(before, after) {
		return EffectNone
	}
	// Where nothing runs, nothing stops.
	if before.raw == 0.0 {
		return EffectScales
	}
	switch after.is(equals(0.0)) {
	case yes:
		return EffectStops
	case maybe:
		return EffectMayStop
	}
	return EffectScales
}

// deploymentID identifies the Deployment of a party.
type deploymentID struct{ provider, namespace, name string }

// steps are those of the Rollout that controls a party's Deployment, if there is one.
func (w workload) steps(p partyPair) (string, bool) {
	id := deploymentID{provider: w.provider, namespace: p.after.domain().id(), name: w.latest().at(w.idAttribute()).id()}
	if role := p.after.at("role").id(); role != "" {
		id.name += "-" + role
	}
	if p.after.at("role").isUnknown() || id.provider == "" || id.namespace == "" || id.name == "" {
		return "", false
	}
	steps, ok := w.rollouts[id]
	return steps, ok
}

func (w workload) idAttribute() string {
	if w.kind == "kuscia_deployment" {
		return "name"
	}
	return "serving_id"
}

func (b *builder) findServing(s Serving) {
	f := Finding{Address: s.Address, Effect: s.phrase(), subject: show(s.Name)}
	switch s.Effect {
	case EffectEnds:
		f.kind, f.Categories = servingEnds, []Category{Destroy, Interrupted}
	case EffectInterrupted, EffectMayInterrupt, EffectStops, EffectMayStop:
		f.kind, f.Categories = servingInterrupted, []Category{Interrupted}
	case EffectReplaced:
		f.kind = servingReplaced
	case EffectRestarts:
		f.kind = servingRestarts
	case EffectSteps:
		f.kind = servingSteps
	case EffectScales:
		f.kind = servingScales
	case EffectStarts:
		f.kind = servingStarts
	case EffectForgotten:
		f.kind, f.Categories, f.subject = otherForgotten, []Category{Forgotten}, show(s.Address)
	default:
		f.kind, f.subject = otherChanged, nil
	}
	if s.restarts {
		f.Categories = append(f.Categories, Restarted)
	}
	if s.Action == Replace {
		f.Categories = append(f.Categories, Replaced)
	}
	b.find(f)
}

// phrase says what happens to a serving.
func (s Serving) phrase() phrase { return s.Effect.phrase(s.Action, s.Cause) }

func (e Effect) phrase(action Action, cause phrase) phrase {
	because := func(text words) phrase {
		if len(cause) == 0 {
			return say(text)
		}
		return concat(say(text+", because of "), cause)
	}
	switch {
	case e == EffectMayInterrupt:
		return concat(because("interrupted: restarts"), say("; update_strategy may stop all pods first"))
	case e == EffectInterrupted && action == Update:
		return concat(because("interrupted: restarts"), say("; update_strategy stops all pods first"))
	case e == EffectInterrupted:
		return because("interrupted: replaced")
	case e == EffectReplaced:
		return because("replaced")
	case e == EffectRestarts:
		return because("restarts in place")
	case e == EffectSteps:
		return because("restarts step by step")
	case e == EffectMayStop:
		return say("interrupted: may scale to 0")
	case e == EffectStops:
		return say("interrupted: scales to 0")
	case e == EffectScales:
		return say("scales in place")
	case e == EffectStarts:
		return say("starts")
	case e == EffectEnds:
		return say("ends")
	case e == EffectForgotten:
		return say("stays, no longer managed")
	}
	return say("nothing restarts")
}
