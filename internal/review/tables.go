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
	// more are the rows that are left out, of what noun names.
	more      int
	one, many phrase.Words
	// lines are above the rows.
	lines []phrase.Phrase
	// folded tables are closed at first.
	folded bool
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
	}
	if more := len(t.lines) - limit; more > 0 {
		t.lines = append(t.lines[:limit:limit], phrase.Concat(phrase.Say("and "), phrase.Number(more), phrase.Say(" more")))
	}
	return t
}

// tables are those of a report that have anything.
func (r *Report) tables() []table {
	var all []table
	for _, t := range []table{r.checkTable(), r.servingTable(), r.releaseTable(), r.grantTable(), r.networkTable(), r.credentialTable(), r.deferredTable(), r.driftTable(), r.otherTable()} {
		if len(t.rows)+len(t.lines) > 0 {
			all = append(all, t)
		}
	}
	return all
}

func (r *Report) checkTable() table {
	t := table{title: "Checks that fail", columns: []phrase.Words{"Check", "Problem"}, one: "check", many: "checks"}
	for _, c := range r.Checks {
		t.rows = append(t.rows, []phrase.Phrase{phrase.Show(c.Address), phrase.Join(" ", phrase.Values(c.Problems, 3)...)})
	}
	return t
}

func (r *Report) servingTable() table {
	t := table{title: "Servings", columns: []phrase.Words{"Serving", "Party", "Image", "Model", "Replicas", "Effect"}, one: "serving", many: "servings"}
	for _, s := range r.Servings {
		name := phrase.Show(s.Name)
		if s.Kind == "kuscia_deployment" {
			name = phrase.Concat(name, phrase.Say(" (KusciaDeployment)"))
		}
		cause := s.Cause // is said once
		for _, p := range alike(s.Parties) {
			t.rows = append(t.rows, []phrase.Phrase{name, p.names, p.Image.Of(p.Action), p.Model.Of(p.Action), p.Replicas.Of(p.Action), p.phrase(s.Action, cause)})
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
	names phrase.Phrase
}

// alike puts parties with the same row together.
func alike(parties []Party) []partyRow {
	var rows []partyRow
	for _, p := range parties {
		name := phrase.Show(p.Domain)
		if p.Role != "" {
			name = phrase.Concat(name, phrase.Say(" as "), phrase.Show(p.Role))
		}
		same := p
		if len(rows) > 0 {
			last := &rows[len(rows)-1]
			same.Key, same.Domain, same.Role, same.AppImage = last.Key, last.Domain, last.Role, last.AppImage
			if same == last.Party {
				last.names = phrase.Join(", ", last.names, name)
				continue
			}
		}
		rows = append(rows, partyRow{Party: p, names: name})
	}
	return rows
}

// phrase says what happens to the party of a serving for which this is planned.
func (p Party) phrase(serving plan.Action, cause phrase.Phrase) phrase.Phrase {
	text := p.Effect.phrase(serving, cause)
	switch {
	case serving == plan.Replace && p.Action == plan.Create:
		return phrase.Concat(phrase.Say("new party; "), text)
	case serving == plan.Replace && p.Action == plan.Delete:
		return phrase.Concat(phrase.Say("leaves; "), text)
	}
	if p.Steps != "" {
		text = phrase.Concat(text, phrase.Say("; steps: "), phrase.Show(p.Steps))
	}
	return text
}

func (r *Report) releaseTable() table {
	t := table{title: "Releases step by step", columns: []phrase.Words{"Rollout", "Steps or weight", "Effect"}, one: "release", many: "releases"}
	for _, x := range r.Releases {
		t.rows = append(t.rows, []phrase.Phrase{phrase.Show(x.Name), x.Steps.Of(x.Action), x.phrase()})
	}
	return t
}

func (r *Report) grantTable() table {
	t := table{title: "Who may see which data", columns: []phrase.Words{"Data", "Owner", "Reader", "Until", "How often", "Effect"}, one: "grant", many: "grants"}
	for _, d := range r.Data {
		t.lines = append(t.lines, phrase.Concat(phrase.Say("The data "), plan.Shown(d.Name), phrase.Say(" of "), plan.Shown(d.Owner), phrase.Say(": "), d.phrase(), phrase.Say(".")))
	}
	for _, g := range r.Grants {
		t.rows = append(t.rows, []phrase.Phrase{g.Data.Of(g.Action), g.Owner.Of(g.Action), g.Reader.Of(g.Action), limitPhrase(g.Until, g.Action, "no end"), limitPhrase(usesOf(g.Uses), g.Action, "no limit"), g.phrase()})
	}
	return t
}

// usesOf has no limit instead of zero.
func usesOf(uses plan.Pair) plan.Pair {
	for _, side := range []*string{&uses.Before, &uses.After} {
		if *side == "0" {
			*side = ""
		}
	}
	return uses
}

// limitPhrase shows a limit, and words where there is none.
func limitPhrase(p plan.Pair, action plan.Action, none phrase.Words) phrase.Phrase {
	switch {
	case action == plan.Delete, action == plan.Forget:
		return limitPhrase(plan.Pair{Before: p.Before, After: p.Before}, plan.None, none)
	case p.Before == p.After && p.After == "":
		return phrase.Say(none)
	case p.After == "":
		return phrase.Concat(plan.Shown(p.Before), phrase.Say(" → "+none))
	}
	return p.Phrase()
}

func (r *Report) networkTable() table {
	t := table{title: "Network", columns: []phrase.Words{"From", "To", "Address", "Authentication", "Effect"}, one: "route", many: "routes"}
	for _, x := range r.Routes {
		t.rows = append(t.rows, []phrase.Phrase{x.Source.Of(x.Action), x.Destination.Of(x.Action), x.Endpoint.Of(x.Action), x.Authentication.Of(x.Action), x.phrase()})
	}
	return t
}

func (r *Report) credentialTable() table {
	t := table{title: "Credentials", columns: []phrase.Words{"Object", "Attribute", "Kind", "Change"}, one: "credential", many: "credentials"}
	for _, c := range r.Credentials {
		t.rows = append(t.rows, []phrase.Phrase{phrase.Show(c.Address), phrase.Show(c.Attribute), phrase.Say(credentialKinds[c.Kind]), c.phrase()})
	}
	return t
}

var credentialKinds = map[string]phrase.Words{"secret": "secret", "certificate": "certificate"}

func (r *Report) deferredTable() table {
	t := table{title: "Left for another plan", columns: []phrase.Words{"Object", "Cause"}, one: "object", many: "objects"}
	for _, o := range r.Deferred {
		t.rows = append(t.rows, []phrase.Phrase{phrase.Show(o.Address), o.Cause})
	}
	return t
}

func (r *Report) driftTable() table {
	t := table{title: "Changed without Terraform", columns: []phrase.Words{"Object", "Change"}, one: "object", many: "objects"}
	for _, o := range r.Drift {
		t.rows = append(t.rows, []phrase.Phrase{phrase.Show(o.Address), o.phrase()})
	}
	return t
}

func (r *Report) otherTable() table {
	t := table{title: "Everything else", columns: []phrase.Words{"Object", "Change"}, one: "object", many: "objects", folded: true}
	for _, o := range r.Others {
		t.rows = append(t.rows, []phrase.Phrase{phrase.Show(o.Address), o.phrase()})
	}
	return t
}

// lastLines are what follows the tables.
func (r *Report) lastLines() []phrase.Phrase {
	var lines []phrase.Phrase
	if n := r.OtherProviders.total(); n > 0 {
		var parts []phrase.Phrase
		for _, c := range []struct {
			n    int
			text phrase.Words
		}{{r.OtherProviders.Create, "created"}, {r.OtherProviders.Update, "changed"}, {r.OtherProviders.Replace, "replaced"}, {r.OtherProviders.Delete, "removed"}, {r.OtherProviders.Forget, "no longer managed"}} {
			if c.n > 0 {
				parts = append(parts, phrase.Concat(phrase.Number(c.n), phrase.Say(" "+c.text)))
			}
		}
		lines = append(lines, phrase.Concat(phrase.Say("Resources of other providers, which are not reviewed here: "), phrase.Join(", ", parts...), phrase.Say(".")))
	}
	if r.OtherActions > 0 {
		lines = append(lines, phrase.Concat(phrase.Say("Actions of other providers, which are not reviewed here: "), phrase.Number(r.OtherActions), phrase.Say(".")))
	}
	if len(r.Outputs) > 0 {
		lines = append(lines, phrase.Concat(phrase.Say("Outputs that change: "), phrase.Join(", ", phrase.Values(r.Outputs, 10)...), phrase.Say(".")))
	}
	return lines
}
