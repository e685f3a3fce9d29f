package review

import (
	"cmp"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/quantity"
)

// Verdict is what a plan does in numbers, for those who decide first and read then.
type Verdict struct {
	// InterruptedServings and InterruptedParties count what has no pod for a while, or no longer.
	InterruptedServings int `json:"interrupted_servings"`
	InterruptedParties  int `json:"interrupted_parties"`
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
}

// verdict counts what the plan does, to one domain if there is a name.
func (b *builder) verdict(domain string) Verdict {
	v := &Verdict{}
	var cpu, memory quantity.Sum
	for _, w := range b.workloads {
		if !w.Touched() || w.Action == plan.Forget {
			continue
		}
		interrupted := 0
		for _, p := range w.parties {
			if domain != "" && p.Domain != domain {
				continue
			}
			if p.Effect.interrupts() {
				interrupted++
			}
			v.countPods(w, p)
			if !b.addResources(w, p, &cpu, &memory) {
				v.UnknownResources++
			}
		}
		v.InterruptedParties += interrupted
		if interrupted > 0 || domain == "" && w.serving().Effect.interrupts() {
			v.InterruptedServings++
		}
	}
	if domain == "" { // an edge deployment has none
		b.edgeVerdict(v, &cpu, &memory)
	}
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
	if n, ok := replicas.Raw.(float64); ok {
		v.RestartingPods += int(n)
		return
	}
	v.UnknownPods++
}

// edgeVerdict counts edge deployments, each as one party.
func (b *builder) edgeVerdict(v *Verdict, cpu, memory *quantity.Sum) {
	for _, o := range b.byKind["kuscia_edge_deployment"] {
		if !o.Touched() || o.Action == plan.Forget {
			continue
		}
		stops := scaling(o.Before.At("replicas"), o.After.At("replicas")).interrupts()
		switch {
		case o.Action == plan.Delete, o.Action == plan.Replace, o.Action == plan.Update && stops:
			v.InterruptedServings++
			v.InterruptedParties++
		case sendsTemplate(*o):
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
	readers := 0
	for _, a := range b.report.Access {
		if concerns(a.Address) && a.Reader != a.Owner && (a.Change == gained || a.Change == changed) {
			readers++
		}
	}
	if readers > 0 {
		all = append(all, phrase.Say("what has been read with the new access"))
	}
	for kind, text := range map[findingKind]phrase.Words{
		domainRemoved: "the domain {}, with what only it has", domainReplaced: "the domain {}, with what only it has",
		dataRemoved: "the grants of other configurations for the data {}", dataReplaced: "the grants of other configurations for the data {}",
		stepApproved: "the approval of the step {}",
	} {
		for _, f := range b.report.Findings {
			if f.kind == kind && len(f.subject) > 0 && concerns(f.Address) {
				all = append(all, phrase.Say(text, f.subject))
			}
		}
	}
	for _, f := range b.report.Findings {
		if f.kind == programRuns && concerns(f.Address) {
			all = append(all, phrase.Say("what the program of {} does", phrase.Show(f.Address)))
		}
	}
	slices.SortStableFunc(all, func(x, y phrase.Phrase) int {
		return cmp.Compare(x.Write(phrase.English, phrase.Text), y.Write(phrase.English, phrase.Text))
	})
	return all
}

// maxListed is the number of readers that a line of the verdict names.
const maxListed = 5

// verdictLines are the verdict in words. What is as usual is left out.
func (r *Report) verdictLines() []phrase.Phrase {
	v := r.Verdict
	var lines []phrase.Phrase
	if v.InterruptedServings > 0 {
		lines = append(lines, phrase.Say("Interrupted: {} ({})",
			phrase.Count(v.InterruptedServings, "{} serving", "{} servings"), phrase.Count(v.InterruptedParties, "{} party", "{} parties")))
	}
	if v.RestartingParties > 0 {
		text := phrase.Say("Pods that restart: {} of {}", phrase.Number(v.RestartingPods), phrase.Count(v.RestartingParties, "{} party", "{} parties"))
		if v.UnknownPods > 0 {
			text = phrase.Say("{}; of {} it is not known how many", text, phrase.Count(v.UnknownPods, "{} party", "{} parties"))
		}
		lines = append(lines, text)
	}
	lines = append(lines, accessLines(r.Access, map[string]phrase.Words{gained: "Gains access: {}", changed: "Sees something else, or under other conditions: {}", lost: "Loses access: {}"})...)
	lines = append(lines, accessLines(r.DriftAccess, map[string]phrase.Words{
		gained: "Gained access without Terraform: {}", changed: "Sees something else without Terraform: {}", lost: "Lost access without Terraform: {}",
	})...)
	if v.CPU+v.Memory != "" || v.UnknownResources > 0 {
		text := phrase.Say("CPU and memory of all pods: {}, {}", orSame(v.CPU), orSame(v.Memory))
		if v.UnknownResources > 0 {
			text = phrase.Say("{}; of {} it is not known", text, phrase.Count(v.UnknownResources, "{} party", "{} parties"))
		}
		lines = append(lines, text)
	}
	if len(v.Final) > 0 {
		lines = append(lines, phrase.Say("Cannot be taken back: {}", phrase.Join("; ", phrase.First(v.Final, maxListed)...)))
	}
	if v.Unknown > 0 {
		lines = append(lines, phrase.Count(v.Unknown, "Known only after the apply: values of {} object", "Known only after the apply: values of {} objects"))
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

func orSame(sum string) phrase.Phrase {
	if sum == "" {
		return phrase.Say("the same")
	}
	return phrase.Show(sum)
}

// maxReaders is the number of readers that a line of the verdict names: each once, whatever else it
// may see, so that none is behind those of others.
const maxReaders = 20

// accessLines say who gains and who loses access to what.
func accessLines(all []Access, words map[string]phrase.Words) []phrase.Phrase {
	var lines []phrase.Phrase
	for _, change := range accessChanges {
		var readers []string
		subjects := map[string][]phrase.Phrase{}
		known := map[[4]string]bool{}
		for _, a := range all {
			key := [4]string{a.Reader, a.Owner, a.Data, a.what}
			if a.Change != change || words[change] == "" || known[key] {
				continue
			}
			known[key] = true
			if len(subjects[a.Reader]) == 0 {
				readers = append(readers, a.Reader)
			}
			subjects[a.Reader] = append(subjects[a.Reader], a.subject)
		}
		var said []phrase.Phrase
		for _, reader := range readers {
			said = append(said, phrase.Say("{} ({})", readerPhrase(reader), phrase.Join(", ", phrase.First(subjects[reader], 3)...)))
		}
		if len(said) > 0 {
			lines = append(lines, phrase.Say(words[change], phrase.Join(", ", phrase.First(said, maxReaders)...)))
		}
	}
	return lines
}
