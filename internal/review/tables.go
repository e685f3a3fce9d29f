package review

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
)

// table is a table for every target.
type table struct {
	title   phrase.Words
	columns []phrase.Words
	rows    [][]phrase.Phrase
	// more are the rows that are left out, of what the words count.
	more      int
	one, many phrase.Words
	// lines are above the rows.
	lines []phrase.Phrase
	// folded tables are closed at first.
	folded bool
	// whole are the long values of the rows, each of which has a fold below the table.
	whole []string
	// isAccess: it says who may see what, and is shortened last.
	isAccess bool
}

// bounded leaves out the rows above a limit.
func (t table) bounded(limit int) table {
	if more := len(t.rows) - limit; more > 0 {
		for _, left := range t.rows[limit:] {
			if len(left[0]) > 0 { // not a further row of the same object
				t.more++
			}
		}
		t.rows, t.more = t.rows[:limit], max(t.more, 1)
		t.whole = t.whole[:min(limit, len(t.whole))]
	}
	t.lines = phrase.First(t.lines, limit)
	return t
}

// tables are those of a report that have anything, in the order of a reader.
func (r *Report) tables() []table {
	var all []table
	for _, t := range []table{
		r.toDoTable(),
		diagnosticTable("Why the plan failed", r.Errors), r.checkTable(), diagnosticTable("Warnings", r.Warnings), r.accessTable("Who may see which data", r.Access), r.servingTable(), r.programTable(), r.releaseTable(),
		r.networkTable(), r.credentialTable(), r.deferredTable(), r.driftTable(), r.accessTable("Who may see which data without Terraform", r.DriftAccess), r.otherTable(),
	} {
		if len(t.rows)+len(t.lines) > 0 {
			all = append(all, t)
		}
	}
	return all
}

func (r *Report) toDoTable() table {
	t := table{title: "What to do", isAccess: true}
	for _, item := range r.ToDo {
		t.lines = append(t.lines, phrase.Say("{}.", item))
	}
	return t
}

func (r *Report) checkTable() table {
	t := table{title: "Checks that fail", columns: []phrase.Words{"Check", "Problem"}, one: "And {} more check.", many: "And {} more checks."}
	for _, c := range r.Checks {
		t.rows = append(t.rows, []phrase.Phrase{phrase.Show(c.Address), phrase.Join(" ", phrase.Values(c.Problems, 3)...)})
	}
	return t
}

// accessWords say what a change of an access is.
var accessWords = map[string]phrase.Words{gained: "gains access", changed: "changes", lost: "loses access", kept: "stays, no longer managed"}

func (r *Report) accessTable(title phrase.Words, rows []Access) table {
	t := table{title: title, columns: []phrase.Words{"Reader", "Data", "Change", "Before", "After"}, one: "And {} more access.", many: "And {} more accesses.", isAccess: true}
	for _, d := range r.Data {
		if d.Action != plan.Update && title == "Who may see which data" {
			t.lines = append(t.lines, phrase.Say("The data {} of {}: {}.", plan.Shown(d.Name), plan.Shown(d.Owner), d.phrase()))
		}
	}
	for _, a := range rows {
		t.rows = append(t.rows, []phrase.Phrase{readerPhrase(a.Reader), a.subject, phrase.Say(accessWords[a.Change]), a.Before, a.After})
	}
	return t
}

func (r *Report) servingTable() table {
	t := table{title: "What runs", columns: []phrase.Words{"Serving", "Party", "Image", "Model", "Replicas", "Effect"}, one: "And {} more serving.", many: "And {} more servings."}
	for _, s := range r.Servings {
		name := phrase.Show(s.Name)
		switch {
		case s.Names.Changed() && s.Names.Before != "" && s.Names.After != "":
			name = s.Names.Phrase()
		case s.Kind == "kuscia_deployment":
			name = phrase.Say("{} (KusciaDeployment)", name)
		}
		cause := s.Cause // is said once
		for _, p := range alike(s.Parties) {
			t.rows = append(t.rows, []phrase.Phrase{name, p.allNames(), p.Image.Of(p.Action), p.Model.Of(p.Action), p.Replicas.Of(p.Action), p.phrase(s.Action, cause)})
			name = nil
			if p.Effect.caused() {
				cause = nil
			}
		}
		if len(s.Parties) == 0 {
			t.rows = append(t.rows, []phrase.Phrase{name, nil, nil, nil, nil, s.phrase()})
		}
	}
	return t
}

// partyRow are parties for which the same happens.
type partyRow struct {
	Party
	names []phrase.Phrase
}

// maxNames is the number of parties that a row names.
const maxNames = 8

func (p partyRow) allNames() phrase.Phrase {
	return phrase.Join(", ", phrase.First(p.names, maxNames)...)
}

// alike puts parties with the same row together.
func alike(parties []Party) []partyRow {
	var rows []partyRow
	for _, p := range parties {
		name := phrase.Show(p.Domain)
		if p.Role != "" {
			name = phrase.Say("{} as {}", name, phrase.Show(p.Role))
		}
		same := p
		if len(rows) > 0 {
			last := &rows[len(rows)-1]
			same.Key, same.Domain, same.Role, same.AppImage = last.Key, last.Domain, last.Role, last.AppImage
			if same == last.Party {
				last.names = append(last.names, name)
				continue
			}
		}
		rows = append(rows, partyRow{Party: p, names: []phrase.Phrase{name}})
	}
	return rows
}

// phrase says what happens to the party of a serving for which this is planned.
func (p Party) phrase(serving plan.Action, cause phrase.Phrase) phrase.Phrase {
	text := p.Effect.phrase(serving, cause)
	switch {
	case serving == plan.Replace && p.Action == plan.Create:
		return phrase.Say("new party; {}", text)
	case serving == plan.Replace && p.Action == plan.Delete:
		return phrase.Say("leaves; {}", text)
	}
	if p.Steps != "" {
		text = phrase.Say("{}; steps: {}", text, phrase.Show(p.Steps))
	}
	return text
}

func (r *Report) programTable() table {
	t := table{title: "What decides which program runs", columns: []phrase.Words{"Object", "What", "Before", "After"}, one: "And {} more value.", many: "And {} more values."}
	address := ""
	for _, p := range r.Programs {
		var name phrase.Phrase
		if p.Address != address {
			address, name = p.Address, phrase.Show(p.Address)
		}
		t.rows = append(t.rows, []phrase.Phrase{name, phrase.Show(p.Path), p.before(), p.after()})
	}
	return t
}

func (r *Report) releaseTable() table {
	t := table{title: "Releases step by step", columns: []phrase.Words{"Rollout", "Steps or weight", "Effect"}, one: "And {} more release.", many: "And {} more releases."}
	for _, x := range r.Releases {
		t.rows = append(t.rows, []phrase.Phrase{phrase.Show(x.Name), x.Steps.Of(x.Action), x.phrase()})
	}
	return t
}

func (r *Report) networkTable() table {
	t := table{title: "Network", columns: []phrase.Words{"From", "To", "Address", "Authentication", "Effect"}, one: "And {} more route.", many: "And {} more routes."}
	for _, x := range r.Routes {
		t.rows = append(t.rows, []phrase.Phrase{x.Source.Of(x.Action), x.Destination.Of(x.Action), x.Endpoint.Of(x.Action), x.Authentication.Of(x.Action), x.phrase()})
	}
	return t
}

func (r *Report) credentialTable() table {
	t := table{title: "Credentials", columns: []phrase.Words{"Object", "Attribute", "Kind", "Change"}, one: "And {} more credential.", many: "And {} more credentials.", isAccess: true}
	for _, c := range r.Credentials {
		t.rows = append(t.rows, []phrase.Phrase{phrase.Show(c.Address), phrase.Show(c.Attribute), phrase.Say(credentialKinds[c.Kind]), c.phrase()})
	}
	return t
}

var credentialKinds = map[string]phrase.Words{"secret": "secret", "certificate": "certificate"}

func (r *Report) deferredTable() table {
	t := table{title: "Left for another plan", columns: []phrase.Words{"Object", "Cause"}, one: "And {} more object.", many: "And {} more objects."}
	for _, o := range r.Deferred {
		t.rows = append(t.rows, []phrase.Phrase{phrase.Show(o.Address), o.Cause})
	}
	return t
}

func (r *Report) driftTable() table {
	t := table{title: "Changed without Terraform", columns: []phrase.Words{"Object", "Change"}, one: "And {} more object.", many: "And {} more objects."}
	for _, o := range r.Drift {
		t.rows = append(t.rows, []phrase.Phrase{phrase.Show(o.Address), o.phrase()})
	}
	return t
}

func (r *Report) otherTable() table {
	t := table{title: "Without other values", columns: []phrase.Words{"Object", "Change"}, one: "And {} more object.", many: "And {} more objects.", folded: true}
	withValues := map[string]bool{}
	for _, v := range r.Values {
		withValues[v.Address] = true
	}
	for _, o := range r.Others {
		if withValues[o.Address] { // is said with its values
			continue
		}
		t.rows = append(t.rows, []phrase.Phrase{phrase.Show(o.Address), o.phrase()})
	}
	return t
}

// lastLines are what follows the tables: what is not reviewed, and what the plan is.
func (r *Report) lastLines() []phrase.Phrase {
	var lines []phrase.Phrase
	if n := r.OtherProviders.total(); n > 0 {
		var parts []phrase.Phrase
		for _, c := range []struct {
			n    int
			text phrase.Words
		}{{r.OtherProviders.Create, "{} created"}, {r.OtherProviders.Update, "{} changed"}, {r.OtherProviders.Replace, "{} replaced"}, {r.OtherProviders.Delete, "{} removed"}, {r.OtherProviders.Forget, "{} no longer managed"}} {
			if c.n > 0 {
				parts = append(parts, phrase.Say(c.text, phrase.Number(c.n)))
			}
		}
		lines = append(lines, phrase.Say("Resources of other providers, which are not reviewed here: {}.", phrase.Join(", ", parts...)))
	}
	if r.OtherActions > 0 {
		lines = append(lines, phrase.Say("Actions of other providers, which are not reviewed here: {}.", phrase.Number(r.OtherActions)))
	}
	if len(r.Outputs) > 0 {
		lines = append(lines, phrase.Say("Outputs that change: {}.", phrase.Join(", ", phrase.Values(r.Outputs, 10)...)))
	}
	if !r.hasLog && r.Changes {
		lines = append(lines, phrase.Say("Warnings of the provider are not in this review: there is no log of plan -json (-log)."))
	}
	if n := r.hiddenValues(); n > 0 {
		lines = append(lines, phrase.Count(n, "{} value is sensitive or named like a secret, and not shown.", "{} values are sensitive or named like secrets, and not shown."))
	}
	if len(r.Servings) > 0 {
		lines = append(lines, phrase.Say("If the apply fails, nothing is rolled back: what it has changed stays, and the next apply continues. A serving whose create failed is created again."))
	}
	if len(r.made()) > 0 {
		lines = append(lines, phrase.Say("Plan: {}.", phrase.Join(", ", r.made()...)))
	}
	return lines
}

// hiddenValues is the number of values that change and are not shown.
func (r *Report) hiddenValues() int {
	n := 0
	for _, v := range r.Values {
		for _, d := range v.Changes {
			if d.Before == plan.SensitiveText || d.After == plan.SensitiveText || d.Before == notShown || d.After == notShown {
				n++
			}
		}
	}
	return n
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
