package review

import "slices"

// Effect is what happens to a serving or one of its parties.
type Effect string

// The effects, from the least to the worst.
const (
	EffectNone        Effect = "none"
	EffectForgotten   Effect = "no longer managed"
	EffectStarts      Effect = "starts"
	EffectScales      Effect = "scales"
	EffectSteps       Effect = "restarts step by step"
	EffectRestarts    Effect = "restarts"
	EffectReplaced    Effect = "replaced" // it did not run
	EffectStops       Effect = "stops"    // no pod is left
	EffectInterrupted Effect = "interrupted"
	EffectEnds        Effect = "ends"
)

var effects = []Effect{EffectNone, EffectForgotten, EffectStarts, EffectScales, EffectSteps, EffectRestarts, EffectReplaced, EffectStops, EffectInterrupted, EffectEnds}

func (e Effect) rank() int { return slices.Index(effects, e) }

// caused reports whether the effect is that of a cause, which its phrase has.
func (e Effect) caused() bool {
	return slices.Contains([]Effect{EffectSteps, EffectRestarts, EffectReplaced, EffectInterrupted}, e)
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
	images     map[string]Pair   // by the name of an app image
	rollouts   map[string]string // steps, by the namespace/name of a Deployment
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

func newWorkload(o *object, images map[string]Pair, rollouts map[string]string) workload {
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

// restartCauses are the changes that restart every party.
func (w workload) restartCauses() []string {
	var causes []string
	if w.changes(w.config) && w.text.differs {
		causes = append(causes, w.text.causes(w.config)...)
	}
	if version := w.config + "_wo_version"; w.changes(version) {
		causes = append(causes, version)
	}
	for _, attribute := range []string{"parties", "redeploy_triggers"} {
		before, after := w.before.at(attribute), w.after.at(attribute)
		// Which part of it changes is not known.
		if differs(before, after) && (before.wholeSensitive() || after.wholeSensitive() || after.isUnknown()) {
			causes = append(causes, attribute)
		}
	}
	before, after := w.before.at("redeploy_triggers"), w.after.at("redeploy_triggers")
	for _, key := range after.keys() {
		if before.at(key).exists() && differs(before.at(key), after.at(key)) {
			causes = append(causes, "redeploy_triggers."+key)
		}
	}
	return append(causes, w.followedImages()...)
}

// followedImages are the parties whose app image has a new image, if nothing else changes:
// the provider then sends the configuration text again, which restarts every party.
func (w workload) followedImages() []string {
	var images []string
	before, after := partiesOf(w.before), partiesOf(w.after)
	for id, old := range before {
		for _, attribute := range old.keys() {
			switch {
			case !differs(old.at(attribute), after[id].at(attribute)), isUnset(old.at(attribute)) && isUnset(after[id].at(attribute)):
			case attribute == "image":
				images = append(images, "parties."+after[id].key+".image")
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
		s.Parties = append(s.Parties, p.Party)
		s.Effect = worse(s.Effect, p.Effect)
		causes = append(causes, p.causes...)
	}
	if len(s.Parties) == 0 {
		s.Effect = w.effect(nil, value{}, "", "")
	}
	if w.action == Update {
		s.Cause = join(", ", values(compact(causes), 4)...)
	}
	return s
}

// compact sorts and leaves out what is there twice.
func compact(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// effect is what happens to a party, of which these attributes change.
func (w workload) effect(causes []string, after value, domain, role string) Effect {
	switch w.action {
	case Create:
		return EffectStarts
	case Delete:
		return EffectEnds
	case Forget:
		return EffectForgotten
	case Replace:
		if w.reason == "replace_because_tainted" {
			return EffectReplaced
		}
		return EffectInterrupted
	case None:
		return EffectNone
	}
	_, steps := w.steps(domain, role)
	switch {
	case len(causes)+len(w.restartAll) == 0:
		return EffectNone
	case steps:
		return EffectSteps
	case after.at("update_strategy", "type").text() == "Recreate":
		return EffectInterrupted
	}
	return EffectRestarts
}

// steps are those of the Rollout that controls a party's Deployment, if there is one.
func (w workload) steps(domain, role string) (string, bool) {
	deployment := w.name
	if role != "" {
		deployment += "-" + role
	}
	steps, ok := w.rollouts[domain+"/"+deployment]
	return steps, ok
}

func (b *builder) findServing(s Serving) {
	f := Finding{Address: s.Address, Effect: s.phrase(), subject: show(s.Name)}
	switch s.Effect {
	case EffectEnds:
		f.kind, f.Categories = servingEnds, []Category{Destroy, Interrupted}
	case EffectInterrupted, EffectStops:
		f.kind, f.Categories = servingInterrupted, []Category{Interrupted}
	case EffectReplaced:
		f.kind = servingReplaced
	case EffectRestarts:
		f.kind, f.Categories = servingRestarts, []Category{Restarted}
	case EffectSteps:
		f.kind, f.Categories = servingSteps, []Category{Restarted}
	case EffectScales:
		f.kind = servingScales
	case EffectStarts:
		f.kind = servingStarts
	case EffectForgotten:
		f.kind = otherForgotten
	default:
		f.kind, f.subject = otherChanged, nil
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
