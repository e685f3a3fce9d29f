package review

// table is a table for every target.
type table struct {
	title   words
	columns []words
	rows    [][]phrase
	// more are the rows that are left out, of what noun names.
	more      int
	one, many words
	// lines are above the rows.
	lines []phrase
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
		t.lines = append(t.lines[:limit:limit], concat(say("and "), number(more), say(" more")))
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
	t := table{title: "Checks that fail", columns: []words{"Check", "Problem"}, one: "check", many: "checks"}
	for _, c := range r.Checks {
		t.rows = append(t.rows, []phrase{show(c.Address), join(" ", values(c.Problems, 3)...)})
	}
	return t
}

func (r *Report) servingTable() table {
	t := table{title: "Servings", columns: []words{"Serving", "Party", "Image", "Model", "Replicas", "Effect"}, one: "serving", many: "servings"}
	for _, s := range r.Servings {
		name := show(s.Name)
		if s.Kind == "kuscia_deployment" {
			name = concat(name, say(" (KusciaDeployment)"))
		}
		cause := s.Cause // is said once
		for _, p := range alike(s.Parties) {
			t.rows = append(t.rows, []phrase{name, p.names, p.Image.of(p.Action), p.Model.of(p.Action), p.Replicas.of(p.Action), p.phrase(s.Action, cause)})
			name = nil
			if p.Effect.caused() {
				cause = nil
			}
		}
		if len(s.Parties) == 0 {
			t.rows = append(t.rows, []phrase{name, nil, nil, nil, nil, s.phrase()})
		}
	}
	return t
}

// partyRow are parties for which the same happens.
type partyRow struct {
	Party
	names phrase
}

// alike puts parties with the same row together.
func alike(parties []Party) []partyRow {
	var rows []partyRow
	for _, p := range parties {
		name := show(p.Domain)
		if p.Role != "" {
			name = concat(name, say(" as "), show(p.Role))
		}
		same := p
		if len(rows) > 0 {
			last := &rows[len(rows)-1]
			same.Key, same.Domain, same.Role, same.AppImage = last.Key, last.Domain, last.Role, last.AppImage
			if same == last.Party {
				last.names = join(", ", last.names, name)
				continue
			}
		}
		rows = append(rows, partyRow{Party: p, names: name})
	}
	return rows
}

// phrase says what happens to the party of a serving for which this is planned.
func (p Party) phrase(serving Action, cause phrase) phrase {
	text := p.Effect.phrase(serving, cause)
	switch {
	case serving == Replace && p.Action == Create:
		return concat(say("new party; "), text)
	case serving == Replace && p.Action == Delete:
		return concat(say("leaves; "), text)
	}
	if p.Steps != "" {
		text = concat(text, say("; steps: "), show(p.Steps))
	}
	return text
}

func (r *Report) releaseTable() table {
	t := table{title: "Releases step by step", columns: []words{"Rollout", "Steps or weight", "Effect"}, one: "release", many: "releases"}
	for _, x := range r.Releases {
		t.rows = append(t.rows, []phrase{show(x.Name), x.Steps.of(x.Action), x.phrase()})
	}
	return t
}

func (r *Report) grantTable() table {
	t := table{title: "Who may see which data", columns: []words{"Data", "Owner", "Reader", "Until", "How often", "Effect"}, one: "grant", many: "grants"}
	for _, d := range r.Data {
		t.lines = append(t.lines, concat(say("The data "), shown(d.Name), say(" of "), shown(d.Owner), say(": "), d.phrase(), say(".")))
	}
	for _, g := range r.Grants {
		t.rows = append(t.rows, []phrase{g.Data.of(g.Action), g.Owner.of(g.Action), g.Reader.of(g.Action), limitPhrase(g.Until, g.Action, "no end"), limitPhrase(usesOf(g.Uses), g.Action, "no limit"), g.phrase()})
	}
	return t
}

// usesOf has no limit instead of zero.
func usesOf(uses Pair) Pair {
	for _, side := range []*string{&uses.Before, &uses.After} {
		if *side == "0" {
			*side = ""
		}
	}
	return uses
}

// limitPhrase shows a limit, and words where there is none.
func limitPhrase(p Pair, action Action, none words) phrase {
	switch {
	case action == Delete, action == Forget:
		return limitPhrase(Pair{Before: p.Before, After: p.Before}, None, none)
	case p.Before == p.After && p.After == "":
		return say(none)
	case p.After == "":
		return concat(shown(p.Before), say(" → "+none))
	}
	return p.phrase()
}

func (r *Report) networkTable() table {
	t := table{title: "Network", columns: []words{"From", "To", "Address", "Authentication", "Effect"}, one: "route", many: "routes"}
	for _, x := range r.Routes {
		t.rows = append(t.rows, []phrase{x.Source.of(x.Action), x.Destination.of(x.Action), x.Endpoint.of(x.Action), x.Authentication.of(x.Action), x.phrase()})
	}
	return t
}

func (r *Report) credentialTable() table {
	t := table{title: "Credentials", columns: []words{"Object", "Attribute", "Kind", "Change"}, one: "credential", many: "credentials"}
	for _, c := range r.Credentials {
		t.rows = append(t.rows, []phrase{show(c.Address), show(c.Attribute), say(credentialKinds[c.Kind]), c.phrase()})
	}
	return t
}

var credentialKinds = map[string]words{"secret": "secret", "certificate": "certificate", "token": "token"}

func (r *Report) deferredTable() table {
	t := table{title: "Left for another plan", columns: []words{"Object", "Cause"}, one: "object", many: "objects"}
	for _, o := range r.Deferred {
		t.rows = append(t.rows, []phrase{show(o.Address), o.Cause})
	}
	return t
}

func (r *Report) driftTable() table {
	t := table{title: "Changed without Terraform", columns: []words{"Object", "Change"}, one: "object", many: "objects"}
	for _, o := range r.Drift {
		t.rows = append(t.rows, []phrase{show(o.Address), o.phrase()})
	}
	return t
}

func (r *Report) otherTable() table {
	t := table{title: "Everything else", columns: []words{"Object", "Change"}, one: "object", many: "objects", folded: true}
	for _, o := range r.Others {
		t.rows = append(t.rows, []phrase{show(o.Address), o.phrase()})
	}
	return t
}

// lastLines are what follows the tables.
func (r *Report) lastLines() []phrase {
	var lines []phrase
	if n := r.OtherProviders.total(); n > 0 {
		var parts []phrase
		for _, c := range []struct {
			n    int
			text words
		}{{r.OtherProviders.Create, "created"}, {r.OtherProviders.Update, "changed"}, {r.OtherProviders.Replace, "replaced"}, {r.OtherProviders.Delete, "removed"}, {r.OtherProviders.Forget, "no longer managed"}} {
			if c.n > 0 {
				parts = append(parts, concat(number(c.n), say(" "+c.text)))
			}
		}
		lines = append(lines, concat(say("Resources of other providers, which are not reviewed here: "), join(", ", parts...), say(".")))
	}
	if r.OtherActions > 0 {
		lines = append(lines, concat(say("Actions of other providers, which are not reviewed here: "), number(r.OtherActions), say(".")))
	}
	if len(r.Outputs) > 0 {
		lines = append(lines, concat(say("Outputs that change: "), join(", ", values(r.Outputs, 10)...), say(".")))
	}
	return lines
}
