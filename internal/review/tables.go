package review

import (
	"cmp"
	"maps"
	"slices"

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
	// groups are those of the rows, if rows of each are shown before all others are, and moreOf is a row that says
	// how many there are more of one.
	groups []rowGroup
	moreOf func(of rowGroup, n int) []phrase.Phrase
	// isVital: it says who may see what, what runs, or what to do, and is shortened last.
	isVital bool
	// isOfOthers: it is of other providers, and has the room that Kuscia leaves.
	isOfOthers bool
}

// rowGroup is whose rows are shown together: those of a domain, and of a reader of its data.
type rowGroup struct{ domain, reader string }

// bounded leaves out the rows above a limit.
func (t table) bounded(limit int) table {
	if more := len(t.rows) - limit; more > 0 {
		t.rows, t.more = t.firstRows(limit), more
		t.whole = t.whole[:min(limit, len(t.whole))]
	}
	t.lines = phrase.First(t.lines, limit)
	return t
}

// turns is an order of rows: the first one of each group, then the second one, and so on.
type turns struct {
	// rows are the indexes of the rows, and places that of each row in its group.
	rows, places []int
	// sizes are the numbers of rows of the groups.
	sizes map[rowGroup]int
}

// inTurns is the order of the rows, which is their own without groups.
func (t table) inTurns() turns {
	order := turns{make([]int, len(t.rows)), make([]int, len(t.rows)), map[rowGroup]int{}}
	for i := range t.rows {
		order.rows[i] = i
	}
	for i, of := range t.groups {
		order.places[i] = order.sizes[of]
		order.sizes[of]++
	}
	slices.SortStableFunc(order.rows, func(x, y int) int { return cmp.Compare(order.places[x], order.places[y]) })
	return order
}

// firstRows are the rows that are first in turns. After the last one of a group it is said how many there are
// more.
func (t table) firstRows(limit int) [][]phrase.Phrase {
	if len(t.groups) == 0 {
		return t.rows[:limit]
	}
	order, shown := t.inTurns(), map[rowGroup]int{}
	for _, i := range order.rows[:limit] {
		shown[t.groups[i]]++
	}
	var rows [][]phrase.Phrase
	for i, of := range t.groups {
		if order.places[i] >= shown[of] {
			continue
		}
		rows = append(rows, t.rows[i])
		if more := order.sizes[of] - shown[of]; more > 0 && order.places[i] == shown[of]-1 {
			rows = append(rows, t.moreOf(of, more))
		}
	}
	return rows
}

// accessTitle is the title of the table that says who may see what.
const accessTitle = "Who may see which data"

// tables are those of a report that have anything, in the order of a reader.
func (r *Report) tables() []table {
	var all []table
	for _, t := range []table{
		diagnosticTable("Why the plan failed", r.Errors), r.toDoTable(), r.checkTable(), diagnosticTable("Warnings", r.Warnings), r.accessTable(accessTitle, r.Access), r.servingTable(), r.programTable(), r.releaseTable(),
		r.networkTable(), r.credentialTable(), r.deferredTable(), r.driftTable(), r.accessTable("Who may see which data without Terraform", r.DriftAccess), r.otherTable(), r.otherProviderTable(),
	} {
		if len(t.rows)+len(t.lines) > 0 {
			all = append(all, t)
		}
	}
	return all
}

// toDoTable has what each organization has to do that the plan touches, or just that of -for.
func (r *Report) toDoTable() table {
	t := table{title: "What you have to do", columns: []phrase.Words{"Domain", "To do"}, one: "And {} more row.", many: "And {} more rows.", isVital: true}
	t.moreOf = func(of rowGroup, n int) []phrase.Phrase {
		return []phrase.Phrase{nil, phrase.Say("{} more for {}", phrase.Number(n), plan.Shown(of.domain))}
	}
	for _, domain := range slices.Sorted(maps.Keys(r.ToDos)) {
		if r.Audience != "" && domain != r.Audience {
			continue
		}
		name := plan.Shown(domain)
		for _, item := range r.ToDos[domain] {
			t.rows, t.groups = append(t.rows, []phrase.Phrase{name, item}), append(t.groups, rowGroup{domain: domain})
			name = nil
		}
		if len(r.ToDos[domain]) == 0 {
			t.rows, t.groups = append(t.rows, []phrase.Phrase{name, phrase.Say("nothing")}), append(t.groups, rowGroup{domain: domain})
		}
	}
	name := phrase.Say("others, who are not known here")
	for _, toDo := range r.ToDosOfOthers {
		t.rows, t.groups = append(t.rows, []phrase.Phrase{name, toDo.Text}), append(t.groups, rowGroup{})
		name = nil
	}
	return t
}

func (r *Report) checkTable() table {
	t := table{title: "Checks that fail", columns: []phrase.Words{"Check", "Problem"}, one: "And {} more problem.", many: "And {} more problems."}
	for _, c := range r.Checks {
		name, problems := phrase.Show(c.Address), c.Problems
		if len(problems) == 0 {
			problems = List[string]{""}
		}
		for _, problem := range problems {
			t.rows, t.whole = append(t.rows, []phrase.Phrase{name, phrase.Show(problem)}), append(t.whole, problem)
			name = nil
		}
	}
	return t
}

func (r *Report) accessTable(title phrase.Words, rows []Access) table {
	t := table{title: title, columns: []phrase.Words{"Reader", "Data", "Change", "Before", "After"}, one: "And {} more access.", many: "And {} more accesses.", isVital: true}
	for _, d := range r.Data {
		if d.endsGrants() && title == accessTitle {
			t.lines = append(t.lines, phrase.Say("The data {}: {}.", d.subject, d.phrase()))
		}
	}
	t.moreOf = func(of rowGroup, n int) []phrase.Phrase {
		more := phrase.Say("{} more", phrase.Number(n))
		if of.domain != "" {
			more = phrase.Say("{} more of {}", phrase.Number(n), domainPhrase(of.domain))
		}
		return []phrase.Phrase{readerPhrase(of.reader), more, nil, nil, nil}
	}
	for _, a := range rows {
		t.groups = append(t.groups, rowGroup{a.Owner, a.Reader})
		t.rows = append(t.rows, []phrase.Phrase{readerPhrase(a.Reader), a.subject, phrase.Say(ways[wayIndex(a.Way)].table), a.Before, a.After})
	}
	return t
}

func (r *Report) servingTable() table {
	t := table{title: "What runs", columns: []phrase.Words{"Serving", "Party", "Image", "Model", "Replicas", "Effect"}, one: "And {} more row.", many: "And {} more rows.", isVital: true}
	for _, s := range r.Servings {
		name := phrase.Show(s.Name)
		if s.Kind == "kuscia_deployment" {
			name = phrase.Say("{} (KusciaDeployment)", name)
		}
		cause := s.Cause // is said once
		for _, p := range alike(s.Parties) {
			t.rows = append(t.rows, []phrase.Phrase{name, p.allNames(), p.image(), p.Model.Of(p.Action), p.Replicas.Of(p.Action), p.phrase(s.Action, cause)})
			name = nil
			if p.Effect.caused() {
				cause = nil
			}
		}
		if len(s.Parties) == 0 {
			var hidden phrase.Phrase
			if s.hidesParties {
				hidden = plan.Shown(plan.SensitiveText)
			}
			t.rows = append(t.rows, []phrase.Phrase{name, hidden, hidden, hidden, hidden, s.phrase()})
		}
	}
	return t
}

// partyRow are parties for which the same happens.
type partyRow struct {
	Party
	names []phrase.Phrase
}

// maxNames is the number of parties that a row of a comment names.
const maxNames = 8

func (p partyRow) allNames() phrase.Phrase {
	return phrase.Brief(", ", maxNames, p.names...)
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

// image is that of a party, or its app image if the plan does not say which image that has.
func (p Party) image() phrase.Phrase {
	image := p.Image.Of(p.Action)
	if p.onlyApp {
		image = phrase.Say("app image {} (its image is not in this plan)", p.AppImage.Of(p.Action))
	}
	return image
}

func (r *Report) programTable() table {
	t := table{title: "What decides which program runs", columns: []phrase.Words{"Object", "What", "Before", "After"}, one: "And {} more value.", many: "And {} more values.", isVital: true}
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
		t.rows = append(t.rows, []phrase.Phrase{x.Source.Of(x.Action), x.Destination.Of(x.Action), x.where(), x.Authentication.Of(x.Action), x.phrase()})
	}
	return t
}

func (r *Report) credentialTable() table {
	t := table{title: "Credentials", columns: []phrase.Words{"Object", "Attribute", "Kind", "Change"}, one: "And {} more credential.", many: "And {} more credentials.", isVital: true}
	for _, c := range r.Credentials {
		t.rows = append(t.rows, []phrase.Phrase{phrase.Show(c.Address), phrase.Show(c.Attribute), phrase.Say(credentialKinds[c.Kind]), c.phrase()})
	}
	return t
}

var credentialKinds = map[string]phrase.Words{"secret": "secret", "certificate": "certificate"}

func (r *Report) deferredTable() table {
	t := table{title: "Left for another plan", columns: []phrase.Words{"Object", "Cause"}, one: "And {} more object.", many: "And {} more objects."}
	for _, o := range r.Deferred {
		t.rows = append(t.rows, []phrase.Phrase{o.name(), o.Cause})
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
	t := table{title: "Other objects", columns: []phrase.Words{"Object", "Change"}, one: "And {} more object.", many: "And {} more objects.", folded: true}
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

// otherProviderTable names the resources of other providers that change: what they do is not known.
func (r *Report) otherProviderTable() table {
	t := table{title: "Resources of other providers", columns: []phrase.Words{"Object", "Change"}, one: "And {} more object.", many: "And {} more objects.", folded: true, isOfOthers: true}
	for _, f := range r.Findings {
		if f.kind == otherProviderChanges || f.kind == otherProviderReads {
			t.rows = append(t.rows, []phrase.Phrase{f.subject, f.Effect})
		}
	}
	return t
}
