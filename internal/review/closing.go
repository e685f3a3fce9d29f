package review

import (
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secrets"
)

// closing are the parts at the end: what a failure leaves and how to go back, and what a review does
// not show, which is always there. So many long values are shown in part.
func (r *Report) closing(inPart int) []table {
	unseen := table{title: "What this review does not show", lines: r.unseen(inPart), isVital: true}
	back := r.back()
	if len(back) == 0 {
		return []table{unseen}
	}
	return []table{{title: "If the apply fails, or to go back", lines: back, isVital: true}, unseen}
}

// back says what a failed apply leaves, and what is not undone by going back.
func (r *Report) back() []phrase.Phrase {
	kinds := map[findingKind]bool{}
	for _, f := range r.Findings {
		kinds[f.kind] = true
	}
	nothing := !r.Changes || r.onlyState && len(r.touched) == 0 || r.Audience != "" && len(r.Findings) == 0
	if nothing || r.Errored {
		return nil
	}
	all := []phrase.Phrase{phrase.Say("Nothing is rolled back: what a failed apply has changed stays, and the next apply continues. To go back, revert the configuration and apply again.")}
	if r.Verdict.replaced > 0 {
		all = append(all, phrase.Say("A serving that is replaced is deleted first: if it is not created again, nothing of it runs until the next apply succeeds."))
	}
	if slices.ContainsFunc(r.Servings, func(s Serving) bool { return s.Action == plan.Create || s.Action == plan.Replace }) {
		all = append(all, phrase.Say("A serving whose create failed is created again."))
	}
	if slices.ContainsFunc(r.Access, func(a Access) bool { return a.tells() && a.what != "features" }) {
		all = append(all, phrase.Say("Access that was used cannot be taken back: what has been read stays with its reader."))
	}
	if slices.ContainsFunc(r.Access, func(a Access) bool { return a.Way == lost || a.Way == givenAgain }) {
		all = append(all, phrase.Say("A reader who loses access keeps what it has read."))
	}
	if slices.ContainsFunc(r.Access, func(a Access) bool { return a.Way == givenAgain }) {
		all = append(all, phrase.Say("Access whose grant is deleted and created again is missing until the apply succeeds."))
	}
	if slices.ContainsFunc(r.Routes, func(x Route) bool { return x.Action == plan.Replace }) {
		all = append(all, phrase.Say("A route that is replaced is deleted first: without the new one, requests fail until the next apply succeeds."))
	}
	if kinds[releaseEnds] || kinds[releaseChanges] || kinds[stepApproved] || kinds[trafficRouted] || kinds[servingSteps] {
		all = append(all, phrase.Say("Pods that have the new version keep it: to go back, release the old version."))
	}
	if kinds[grantForgotten] || kinds[otherForgotten] {
		all = append(all, phrase.Say("What is no longer managed is managed again after an import."))
	}
	return all
}

// unseen says what a reviewer does not see here.
func (r *Report) unseen(inPart int) []phrase.Phrase {
	var all []phrase.Phrase
	count := func(n int, one, many phrase.Words) {
		if n > 0 {
			all = append(all, phrase.Count(n, one, many))
		}
	}
	if !r.hasLog {
		all = append(all, phrase.Say("Warnings of the provider: there is no log of plan -json (-log)."))
	}
	if r.mayBePart && !r.hasLog {
		all = append(all, phrase.Say("Whether -target or -exclude left out changes: plans of OpenTofu do not say so, and there is no log of plan -json (-log)."))
	}
	count(inPart, "{} long value of which a part is shown: kuscia-review -format text has all of it.", "{} long values of which parts are shown: kuscia-review -format text has all of them.")
	count(r.hiddenValues(), "{} value that is sensitive or has a secret.", "{} values that are sensitive or have secrets.")
	count(r.Verdict.Unknown, "Values of {} object that are known only after the apply.", "Values of {} objects that are known only after the apply.")
	count(len(r.Deferred), "{} change that is left for a later plan.", "{} changes that are left for a later plan.")
	if r.isPart {
		all = append(all, phrase.Say("Other changes that may be left: the plan is not complete, for example because of -target."))
	}
	count(r.openChecks, "{} check that this plan does not evaluate.", "{} checks that this plan does not evaluate.")
	if n := r.OtherProviders.total(); n > 0 {
		var parts []phrase.Phrase
		for _, c := range []struct {
			n    int
			text phrase.Words
		}{{r.OtherProviders.Create, "{} created"}, {r.OtherProviders.Update, "{} changed"}, {r.OtherProviders.Replace, "{} replaced"}, {r.OtherProviders.Delete, "{} removed"}, {r.OtherProviders.Forget, "{} no longer managed"}, {r.OtherProviders.Read, "{} read"}} {
			if c.n > 0 {
				parts = append(parts, phrase.Say(c.text, phrase.Number(c.n)))
			}
		}
		all = append(all, phrase.Say("What the changes of other providers mean, which are shown and not judged: {}.", phrase.Join(", ", parts...)))
	}
	if names := r.newAppImages(); len(names) > 0 {
		all = append(all, phrase.Say("Which program the app image {} runs, and with which variables: it is not in this plan.", phrase.Brief(", ", 10, phrase.Values(names, phrase.Everything)...)))
	}
	if names := r.takenNames(); len(names) > 0 {
		all = append(all, phrase.Say("Whether grants, data, servings and requests elsewhere use {} already: they get what is created here.", phrase.And(phrase.First(names, 10)...)))
	}
	if r.Verdict.InterruptedServings > 0 {
		all = append(all, phrase.Say("How long an interruption lasts."))
	}
	count(r.programs(), "What {} program does (provisioners, external data sources and actions of other providers).", "What {} programs do (provisioners, external data sources and actions of other providers).")
	if len(r.readBefore) > 0 {
		all = append(all, phrase.Say("What data sources of other providers did when they were read for this plan: {}.", phrase.Names(", ", r.readBefore...)))
	}
	if len(r.ephemeral) > 0 {
		all = append(all, phrase.Say("What ephemeral resources of other providers do, for this plan and again in the apply: {}.", phrase.Names(", ", r.ephemeral...)))
	}
	count(r.unknownBlocks, "Whether the removed block of {} resource that is deleted runs a program (a provisioner): a plan has no removed blocks.", "Whether the removed blocks of {} resources that are deleted run programs (provisioners): a plan has no removed blocks.")
	if len(r.mayLogIn) > 0 {
		all = append(all, phrase.Say("Whether {} runs a program to log in: its settings refer to values.", phrase.Brief(", ", 5, phrase.Values(r.mayLogIn, phrase.Everything)...)))
	}
	return append(all, phrase.Say("In no review: grants and servings of other configurations, which servings use a route or data, whether a tag still means the same image, and what is in files."))
}

// takenNames are the objects that take names which others may name.
func (r *Report) takenNames() []phrase.Phrase {
	var all []phrase.Phrase
	for _, f := range r.Findings {
		if len(f.takes) > 0 {
			all = append(all, f.takes)
		}
	}
	return all
}

// newAppImages are the app images that parties get and the plan does not have.
func (r *Report) newAppImages() []string {
	var names []string
	for _, s := range r.Servings {
		for _, p := range s.Parties {
			if p.newApp {
				names = append(names, p.AppImage.After)
			}
		}
	}
	return compact(names)
}

// programs is the number of programs of others that run.
func (r *Report) programs() int {
	return len(only(r.Findings, func(f Finding) bool { return f.kind == programRuns }))
}

// lastLines are what follows all tables: the outputs, and what the plan is.
func (r *Report) lastLines() []phrase.Phrase {
	var lines []phrase.Phrase
	if len(r.Outputs) > 0 {
		lines = append(lines, phrase.Say("Outputs that change: {}.", phrase.Brief(", ", 10, phrase.Values(r.Outputs, phrase.Everything)...)))
	}
	if len(r.servers) > 0 {
		lines = append(lines, phrase.Say("Kuscia: {}.", phrase.Names(", ", r.servers...)))
	}
	if len(r.made()) > 0 {
		lines = append(lines, phrase.Say("Plan: {}.", phrase.Join(", ", r.made()...)))
	}
	return lines
}

// hiddenValues is the number of values that change and are not shown.
func (r *Report) hiddenValues() int {
	n := 0
	for _, v := range r.allValues() {
		n += v.hidden
	}
	return n
}

// isHiddenText reports whether a review does not show a value, or masks a part of it.
func isHiddenText(text string) bool {
	return text == plan.SensitiveText || text == notShown || secrets.Has(text)
}

// made says with what the plan was made, when, and of which commit.
func (r *Report) made() []phrase.Phrase {
	var all []phrase.Phrase
	if r.Made.Version != "" {
		all = append(all, phrase.Say("Terraform or OpenTofu {}", phrase.Show(r.Made.Version)))
	}
	if r.Made.Time != "" {
		all = append(all, phrase.Show(r.Made.Time))
	}
	if r.Made.Commit != "" {
		all = append(all, phrase.Say("commit {}", phrase.Show(r.Made.Commit)))
	}
	if r.Made.Program != "" {
		all = append(all, phrase.Say("kuscia-review {}", phrase.Show(r.Made.Program)))
	}
	return all
}
