package review

import (
	"cmp"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/launch"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/quantity"
)

// Verdict is what a plan does in numbers, for those who decide first and read then.
type Verdict struct {
	// InterruptedServings and InterruptedParties count what has no pod for a while, or no longer.
	InterruptedServings int `json:"interrupted_servings"`
	InterruptedParties  int `json:"interrupted_parties"`
	// MayInterruptServings and MayInterruptParties are those of them of which it is not known.
	MayInterruptServings int `json:"may_interrupt_servings"`
	MayInterruptParties  int `json:"may_interrupt_parties"`
	// PodsBefore and PodsAfter are all pods of the servings that change, of Parties, as far as they are
	// known.
	PodsBefore int `json:"pods_before"`
	PodsAfter  int `json:"pods_after"`
	Parties    int `json:"parties"`
	// RestartingPods are replaced by new ones. UnknownPods are parties whose number of pods is not
	// known.
	RestartingPods    int `json:"restarting_pods"`
	RestartingParties int `json:"restarting_parties"`
	UnknownPods       int `json:"parties_with_unknown_pods"`
	// CPU and Memory are what all pods together may use more or less, such as +62 and -2Gi; "" for
	// no change. UnknownResources are parties of which it is not known.
	CPU              string `json:"cpu"`
	Memory           string `json:"memory"`
	UnknownResources int    `json:"parties_with_unknown_resources"`
	// MissingReferences is the number of objects that are referred to and do not exist.
	MissingReferences int `json:"missing_references"`
	// Unknown is the number of objects with values that are known after apply.
	Unknown int `json:"unknown"`
	// Final is what cannot be taken back.
	Final List[phrase.Phrase] `json:"final"`

	// hidesPods: of a party it is not known how many pods it has.
	hidesPods bool
	// unset: some pods have no limit of CPU, or of memory.
	unset [2]bool
	// replaced is the number of servings and edge deployments that are deleted and created again.
	replaced int
}

// verdict counts what the plan does, to one domain if there is a name.
func (b *builder) verdict(domain string) Verdict {
	v := &Verdict{}
	var cpu, memory quantity.Sum
	isCounted := func(w workload) bool { return w.Touched() && w.Action != plan.Forget }
	for _, w := range slices.Concat(only(b.workloads, isCounted), b.redeployed) {
		if w.Action == plan.Replace {
			v.replaced++
		}
		isOwn := func(p partyChange) bool { return domain == "" || p.Domain == domain }
		worst := EffectNone
		if slices.ContainsFunc(w.parties, isOwn) { // without any of its parties a serving does not answer
			for _, p := range w.parties {
				worst = worse(worst, p.Effect)
				v.interruptParty(p.Effect)
			}
		}
		for _, p := range only(w.parties, isOwn) {
			v.countPods(w, p)
			v.addPods(p.pair.before.Value, p.pair.after.Value)
			if !b.addResources(w, p, &cpu, &memory) {
				v.UnknownResources++
			}
		}
		if domain == "" {
			worst = worse(worst, w.serving().Effect)
		}
		v.interruptServing(worst)
	}
	if domain == "" { // an edge deployment has none
		b.edgeVerdict(v, &cpu, &memory)
	}
	v.unset = [2]bool{cpu.IsUnset(), memory.IsUnset()}
	for _, text := range []struct {
		sum *quantity.Sum
		to  *string
	}{{&cpu, &v.CPU}, {&memory, &v.Memory}} {
		if !text.sum.IsZero() {
			*text.to = text.sum.String()
		}
	}
	for _, f := range b.report.Findings {
		if f.kind == valueUnknown && (domain == "" || slices.Contains(b.report.domainsOf[f.Address], domain)) {
			v.Unknown++
		}
	}
	v.Final = b.final(domain)
	return *v
}

func (e Effect) interrupts() bool { return e.rank() >= EffectMayStop.rank() }

// mayInterrupt reports whether it is not known that the effect is an interruption.
func (e Effect) mayInterrupt() bool { return e == EffectMayStop || e == EffectMayInterrupt }

func (v *Verdict) interruptParty(e Effect) {
	if e.interrupts() {
		v.InterruptedParties++
	}
	if e.mayInterrupt() {
		v.MayInterruptParties++
	}
}

func (v *Verdict) interruptServing(e Effect) {
	if e.interrupts() {
		v.InterruptedServings++
	}
	if e.mayInterrupt() {
		v.MayInterruptServings++
	}
}

// addPods adds the pods of a party before and after the change, as far as they are known.
func (v *Verdict) addPods(before, after plan.Value) {
	v.Parties++
	for _, side := range []struct {
		party plan.Value
		to    *int
	}{{before, &v.PodsBefore}, {after, &v.PodsAfter}} {
		switch n, ok := shownPods(side.party.At("replicas")); {
		case !side.party.Exists():
		case !ok:
			v.hidesPods = true
		default:
			*side.to += n
		}
	}
}

// countPods counts the pods of a party that new ones replace.
func (v *Verdict) countPods(w workload, p partyChange) {
	replacedWith := w.Action == plan.Replace && p.pair.before.Exists() && p.pair.after.Exists()
	if !replacedWith && !p.restarts {
		return
	}
	v.addRestart(p.pair.before.At("replicas"))
}

// addRestart counts a party that restarts, with the pods that it has.
func (v *Verdict) addRestart(replicas plan.Value) {
	v.RestartingParties++
	if n, ok := shownPods(replicas); ok {
		v.RestartingPods += n
		return
	}
	v.UnknownPods++
}

// shownPods returns a number of pods that is known and may be shown.
func shownPods(replicas plan.Value) (n int, ok bool) {
	number, ok := replicas.Raw.(float64)
	return int(number), ok && !replicas.IsSensitive()
}

// edgeVerdict counts edge deployments, each as one party.
func (b *builder) edgeVerdict(v *Verdict, cpu, memory *quantity.Sum) {
	for _, o := range b.byKind["kuscia_edge_deployment"] {
		if !o.Touched() || o.Action == plan.Forget {
			continue
		}
		effect := edgeEffect(*o)
		if o.Action == plan.Replace {
			v.replaced++
		}
		v.addPods(o.Before, o.After)
		v.interruptServing(effect)
		v.interruptParty(effect)
		if sendsTemplate(*o) && effect != EffectStops && effect != EffectMayStop {
			v.addRestart(o.Before.At("replicas"))
		}
		known := true
		for _, side := range []struct {
			plan.Value
			sign int
		}{{o.Before, -1}, {o.After, 1}} {
			if side.Exists() {
				known = addContainers(side.At("containers"), side.At("replicas"), side.sign, cpu, memory) && known
			}
		}
		if !known {
			v.UnknownResources++
		}
	}
}

// final is what cannot be taken back.
func (b *builder) final(domain string) []phrase.Phrase {
	var all []phrase.Phrase
	concerns := func(address string) bool { return domain == "" || slices.Contains(b.report.domainsOf[address], domain) }
	readers, asks := false, false
	for _, a := range b.report.Access {
		if concerns(a.Address) && a.tells() {
			readers = readers || a.what != "features"
			asks = asks || a.what == "features"
		}
	}
	if readers {
		all = append(all, phrase.Say("what has been read with the new access"))
	}
	if asks {
		all = append(all, phrase.Say("what pods ask another place for, and what they read there"))
	}
	if slices.ContainsFunc(b.report.DriftAccess, func(a Access) bool { return concerns(a.Address) && a.tells() }) {
		all = append(all, phrase.Say("what has been read with access that was given outside of this plan"))
	}
	for kind, text := range map[findingKind]phrase.Words{
		domainRemoved: "the deploy token of the domain {}: created again, it gets a new one", domainReplaced: "the deploy token of the domain {}: created again, it gets a new one",
		dataRemoved: "the access of all others who may read {}, who are not known here", dataReplaced: "the access of all others who may read {}, who are not known here",
		stepApproved: "the approval of the step {}",
	} {
		for _, f := range b.report.Findings {
			if f.kind == kind && len(f.subject) > 0 && concerns(f.Address) {
				all = append(all, phrase.Say(text, f.subject))
			}
		}
	}
	for _, f := range b.report.Findings {
		if f.kind.isProgram() && concerns(f.Address) {
			all = append(all, phrase.Say("what the program of {} does", phrase.Show(f.Address)))
		}
	}
	slices.SortStableFunc(all, func(x, y phrase.Phrase) int {
		return cmp.Compare(x.Write(phrase.English, phrase.Text), y.Write(phrase.English, phrase.Text))
	})
	return all
}

// maxListed is the number of things that a line of the verdict says at length.
const maxListed = 5

// verdictLines are the verdict in words, what is dangerous first. What is as usual is left out.
func (r *Report) verdictLines() []phrase.Phrase {
	v := r.Verdict
	lines := append(r.programLines(), r.controlLines()...)
	outside := func(all ...[]phrase.Phrase) {
		for _, line := range slices.Concat(all...) {
			lines = append(lines, phrase.Say("{} (outside of this plan)", line))
		}
	}
	others := r.outside
	if others == nil {
		others = &Report{}
	}
	outside(others.controlLines(), accessLines(r.DriftAccess))
	lines = append(lines, accessLines(r.Access)...)
	lines = append(lines, r.freedLines()...)
	lines = append(lines, r.codeLines(r.Programs, r.imageChanges())...)
	outside(others.codeLines(others.Programs, others.imageChanges()))
	lines = append(lines, r.forgottenLines()...)
	lines = append(lines, r.installationLines()...)
	lines = append(lines, v.interruptionLines()...)
	outside(
		others.subjectsLine(servingInterrupted, "Interrupted: {}"), others.subjectsLine(edgeInterrupted, "Interrupted: {}"),
		others.subjectsLine(servingMayStop, "May be interrupted: {}"), others.subjectsLine(edgeMayStop, "May be interrupted: {}"), others.leavingLines(),
	)
	lines = append(lines, r.leavingLines()...)
	lines = append(lines, r.releaseLines()...)
	lines = append(lines, v.podLines()...)
	if len(v.Final) > 0 {
		lines = append(lines, phrase.Say("Cannot be taken back: {}", phrase.Names("; ", v.Final...)))
	}
	if v.MissingReferences > 0 {
		lines = append(lines, phrase.Count(v.MissingReferences, "Refers to what does not exist: {} reference", "Refers to what does not exist: {} references"))
	}
	if n := len(r.Warnings); n > 0 {
		lines = append(lines, phrase.Count(n, "The provider warns: {} warning", "The provider warns: {} warnings"))
	}
	lines = append(lines, r.askLines()...)
	if n := len(r.Drift); n > 0 {
		lines = append(lines, phrase.Count(n, "Changed without Terraform: {} object", "Changed without Terraform: {} objects"))
	}
	return lines
}

// programLines say which programs of others run.
func (r *Report) programLines() []phrase.Phrase {
	return slices.Concat(
		r.subjectsLine(programRuns, "Runs a program that this review does not show, which may also send data out: {}"),
		r.subjectsLine(programMayRun, "May run a program of a removed block, of which a plan says nothing, and which may also send data out: {}"),
		r.subjectsLine(otherProviderReads, "Reads in the apply from another provider, which may act there or send data out: {}"),
		r.subjectsLine(pluginRuns, "Logs in with a program, which has run for this plan: {}"),
	)
}

// controlLines say who controls a domain from then on, who may act as it, and who sees its requests, and what
// may go that limits or protects something.
func (r *Report) controlLines() []phrase.Phrase {
	return slices.Concat(
		r.subjectsLine(masterChanges, "Another master controls what runs there, who joins and who gets the data: {}"),
		r.subjectsLine(masterBegins, "New under a master, which controls what runs there, who joins and who gets the data: {}"),
		r.subjectsLine(anyoneActs, "Anyone may act as: {}"),
		r.subjectsLine(keyChanges, "Who holds another key may act as: {}"),
		r.subjectsLine(transitBegins, "A third domain sees requests: {}"),
		r.subjectsLine(requestsMove, "Requests go to another host: {}"),
		r.subjectsLine(authorityChanges, "Requests go to whom another CA vouches for: {}"),
		r.subjectsLine(encryptionEnds, "No longer encrypted: requests {}"),
		r.subjectsLine(nodesAuthenticate, "Nodes authenticate in another way: {}"),
		r.subjectsLine(fieldsRemoved, "May be removed, although no plan shows it: {}"),
	)
}

// codeItem is what a line says of one object, with what decides most of it.
type codeItem struct {
	phrase.Item
	weight launch.Weight
}

// codeLines say which programs of Kuscia change and which are new, and what of them: with those of images,
// what decides most first.
func (r *Report) codeLines(programs []Program, images []codeItem) []phrase.Phrase {
	isNew := func(p Program) bool { return p.isNew }
	isOld := func(p Program) bool { return !p.isNew }
	var lines []phrase.Phrase
	for _, line := range []struct {
		text  phrase.Words
		items []codeItem
	}{
		{"Runs another program, or in another way: {}", append(slices.Clip(images), r.codeItems(only(programs, isOld))...)},
		{"Runs a new program: {}", r.codeItems(only(programs, isNew))},
	} {
		if len(line.items) == 0 {
			continue
		}
		slices.SortStableFunc(line.items, func(x, y codeItem) int { return launch.CompareObjects(x.weight, y.weight) })
		var items []phrase.Item
		for _, item := range line.items {
			items = append(items, item.Item)
		}
		lines = append(lines, phrase.Say(line.text, phrase.Listed("; ", maxListed, items...)))
	}
	return lines
}

// codeItems are what a line says of each object.
func (r *Report) codeItems(programs []Program) []codeItem {
	var addresses []string
	changes := map[string][]Program{}
	for _, p := range programs {
		if len(changes[p.Address]) == 0 {
			addresses = append(addresses, p.Address)
		}
		changes[p.Address] = append(changes[p.Address], p)
	}
	var all []codeItem
	for _, address := range addresses {
		item := codeItem{weight: launch.Rest}
		for _, p := range changes[address] {
			item.weight = launch.Heavier(item.weight, p.weight)
		}
		text := phrase.Say("{} ({})", r.titles[address], phrase.Join(", ", decisive(changes[address])...))
		if users, isImage := r.users[address]; isImage && len(users) > 0 {
			text = phrase.Say("{}, used by {}", text, phrase.Brief(", ", maxListed, phrase.Values(users, phrase.Everything)...))
		} else if isImage {
			text = phrase.Say("{}, used by servings that this plan does not know", text)
		}
		item.Item = phrase.Item{Long: text, Short: r.titles[address]}
		all = append(all, item)
	}
	return all
}

// maxValues is the number of values of an object that a line of the verdict has at most.
const maxValues = 8

// decisive are the values of the two things that decide most, such as a command, and how many values there
// are more.
func decisive(changes []Program) []phrase.Phrase {
	var said []phrase.Phrase
	thing, things := "", 0
	for _, p := range changes[:min(len(changes), maxValues)] {
		of, key := "", p.Path
		if at := strings.LastIndex(p.Path, "."); at >= 0 {
			of, key = p.Path[:at], p.Path[at+1:]
		}
		text := p.phrase()
		if things == 0 || of != thing {
			thing, things = of, things+1
		} else if p.isNew && plan.IsIndex(key) { // of a list of which all is new
			text = p.after()
		}
		if things > 2 {
			break
		}
		said = append(said, text)
	}
	if more := len(changes) - len(said); more > 0 {
		said = append(said, phrase.Say("{} more", phrase.Number(more)))
	}
	return said
}

// phrase is the value of a program in a line.
func (p Program) phrase() phrase.Phrase {
	if p.isNew {
		return phrase.Say("{} {}", phrase.Show(p.Path), p.after())
	}
	return phrase.Say("{} {} → {}", phrase.Show(p.Path), p.before(), p.after())
}

// imageChanges are the servings that run other images. Another app image is a program.
func (r *Report) imageChanges() []codeItem {
	var all []codeItem
	for _, s := range r.Servings {
		changed := only(s.Parties, func(p Party) bool {
			return p.Image.Changed() && !p.onlyApp && p.Image.Before != "" && p.Image.After != ""
		})
		slices.SortStableFunc(changed, func(x, y Party) int { return launch.CompareObjects(x.imageWeight(), y.imageWeight()) })
		var images []phrase.Phrase
		for _, p := range changed {
			images = append(images, phrase.Say("{} {}", plan.Shown(p.Domain), p.image()))
		}
		if len(images) > 0 {
			item := codeItem{weight: changed[0].imageWeight()}
			text := phrase.Say("{} ({})", phrase.Say("the serving {}", phrase.Show(s.Name)), phrase.Join(", ", phrase.First(images, 2)...))
			item.Item = phrase.Item{Long: text, Short: text}
			all = append(all, item)
		}
	}
	return all
}

// imageWeight is whether the party gets another image, or only another tag of it.
func (p Party) imageWeight() launch.Weight { return launch.OfImages(p.Image.Before, p.Image.After) }

// releaseLines say what happens to releases that are in progress or come.
func (r *Report) releaseLines() []phrase.Phrase {
	var all []phrase.Phrase
	for _, x := range r.Releases {
		if x.turnsOff || x.Kind == trafficKind {
			all = append(all, phrase.Say("Step-by-step release of {}: {}", phrase.Show(x.Name), x.phrase()))
		}
	}
	return phrase.First(all, maxListed)
}

// freedLines say which names become free for others than before.
func (r *Report) freedLines() []phrase.Phrase {
	var all []phrase.Phrase
	for _, f := range r.Findings {
		if len(f.frees) > 0 {
			all = append(all, f.frees)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return []phrase.Phrase{phrase.Say("Grants, data, servings and requests elsewhere get what is created under these names, which become free: {}", phrase.Names(", ", all...))}
}

// forgottenLines say what nobody manages any longer, beside access.
func (r *Report) forgottenLines() []phrase.Phrase {
	return r.subjectsLine(otherForgotten, "Stays as it is, and this configuration no longer manages it: {}")
}

// subjectsLine says something of the subjects of all findings of a kind, if there are any.
func (r *Report) subjectsLine(kind findingKind, text phrase.Words) []phrase.Phrase {
	var all []phrase.Item
	for _, f := range r.Findings {
		if f.kind == kind {
			item := phrase.Item{Long: f.long, Short: f.subject}
			if len(f.long) == 0 {
				item.Long = f.subject
			}
			all = append(all, item)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return []phrase.Phrase{phrase.Say(text, phrase.Listed(", ", maxListed, all...))}
}

// installationLines say that the plan changes several installations of Kuscia.
func (r *Report) installationLines() []phrase.Phrase {
	var all []phrase.Phrase
	for _, i := range r.installations {
		var names []phrase.Phrase
		for _, provider := range i.providers {
			if provider == "" {
				names = append(names, phrase.Say("one that this plan does not name"))
			} else {
				names = append(names, phrase.Show(provider))
			}
		}
		all = append(all, phrase.Say("{} ({})", phrase.Join(", ", names...), phrase.Brief(", ", 3, phrase.Values(i.objects, phrase.Everything)...)))
	}
	if len(all) == 0 {
		return nil
	}
	return []phrase.Phrase{phrase.Say("Several provider configurations, which may be different installations of Kuscia: {}. The same name is another object in each", phrase.Names("; ", all...))}
}

func (v Verdict) interruptionLines() []phrase.Phrase {
	var lines []phrase.Phrase
	counts := func(servings, parties int) phrase.Phrase {
		return phrase.Say("{} ({})", phrase.Count(servings, "{} serving", "{} servings"), phrase.Count(parties, "{} party", "{} parties"))
	}
	if n := v.InterruptedServings - v.MayInterruptServings; n > 0 {
		lines = append(lines, phrase.Say("Interrupted: {}", counts(n, v.InterruptedParties-v.MayInterruptParties)))
	}
	if n := v.MayInterruptServings; n > 0 {
		lines = append(lines, phrase.Say("May be interrupted, since the number of pods or the update strategy is hidden or not known: {}", counts(n, v.MayInterruptParties)))
	}
	return lines
}

// leavingLines say which parties and edge deployments stop for good.
func (r *Report) leavingLines() []phrase.Phrase {
	var all []phrase.Phrase
	for _, s := range r.Servings {
		for _, p := range s.Parties {
			if p.Action == plan.Delete && p.Effect != EffectReplaced {
				text := phrase.Say("{} in the serving {}", plan.Shown(p.Domain), phrase.Show(s.Name))
				if n := p.Replicas.Before; n != "" {
					text = phrase.Say("{} (pods: {})", text, plan.Shown(n))
				}
				all = append(all, text)
			}
		}
	}
	for _, f := range r.Findings {
		if f.kind == edgeEnds {
			all = append(all, phrase.Say("the edge deployment {}", f.subject))
		}
	}
	if len(all) == 0 {
		return nil
	}
	return []phrase.Phrase{phrase.Say("Stops for good: {}", phrase.Names(", ", all...))}
}

// podLines say how many pods there are and restart, and what they may use.
func (v Verdict) podLines() []phrase.Phrase {
	if v.Parties == 0 {
		return nil
	}
	var lines []phrase.Phrase
	switch {
	case v.RestartingParties == 0:
	case v.RestartingPods == 0 && v.UnknownPods > 0:
		lines = append(lines, phrase.Say("Pods that restart: those of {}, how many is not known", phrase.Count(v.UnknownPods, "{} party", "{} parties")))
	case v.UnknownPods > 0:
		lines = append(lines, phrase.Say("Pods that restart: {} of {}; of {} it is not known how many", phrase.Number(v.RestartingPods), phrase.Count(v.RestartingParties, "{} party", "{} parties"), phrase.Count(v.UnknownPods, "{} party", "{} parties")))
	default:
		lines = append(lines, phrase.Say("Pods that restart: {} of {}", phrase.Number(v.RestartingPods), phrase.Count(v.RestartingParties, "{} party", "{} parties")))
	}
	pods := phrase.Say("Pods: {}, before {}", phrase.Number(v.PodsAfter), phrase.Number(v.PodsBefore))
	if v.hidesPods {
		pods = phrase.Say("Pods: how many is not known")
	}
	resources := phrase.Say("CPU: {}, memory: {}", orSame(v.CPU, v.unset[0]), orSame(v.Memory, v.unset[1]))
	switch {
	case v.UnknownResources >= v.Parties:
		resources = phrase.Say("CPU and memory: not known")
	case v.UnknownResources > 0:
		resources = phrase.Say("{} (without {}, of which it is not known)", resources, phrase.Count(v.UnknownResources, "{} party", "{} parties"))
	}
	return append(lines, phrase.Say("{}. {}", pods, resources))
}

// orSame is a change of what pods may use, of which some may have no limit.
func orSame(sum string, unset bool) phrase.Phrase {
	switch {
	case sum == "" && unset:
		return phrase.Say("no limit is set")
	case sum == "":
		return phrase.Say("the same")
	case unset:
		return phrase.Say("{} (of some pods no limit is set)", phrase.Show(sum))
	}
	return phrase.Show(sum)
}

// maxReaders is the number of readers of whom a line of the verdict says what they may see. It names all:
// each once, whatever else it may see, so that none is behind those of others.
const maxReaders = 20

// accessLines say whose access to what changes, a line for each way.
func accessLines(all []Access) []phrase.Phrase {
	var lines []phrase.Phrase
	for _, way := range ways {
		var readers []string
		subjects := map[string][]phrase.Phrase{}
		known := map[[4]string]bool{}
		for _, a := range all {
			key := [4]string{a.Reader, a.subject.Plain(phrase.English), a.what, a.detail.Plain(phrase.English)}
			if a.Way != way.way || known[key] {
				continue
			}
			known[key] = true
			if len(subjects[a.Reader]) == 0 {
				readers = append(readers, a.Reader)
			}
			subject := a.subject
			if len(a.detail) > 0 {
				subject = phrase.Say("{}: {}", subject, a.detail)
			}
			subjects[a.Reader] = append(subjects[a.Reader], subject)
		}
		var said []phrase.Item
		for _, reader := range readers {
			name := readerPhrase(reader)
			said = append(said, phrase.Item{Long: phrase.Say("{} ({})", name, phrase.Join(") (", phrase.First(subjects[reader], 3)...)), Short: name})
		}
		if len(said) > 0 {
			lines = append(lines, phrase.Say(way.line, phrase.Listed(", ", maxReaders, said...)))
		}
	}
	return lines
}
