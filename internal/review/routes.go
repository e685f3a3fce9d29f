package review

// Route is a kuscia_domain_route that changes.
type Route struct {
	Address        string `json:"address"`
	Action         Action `json:"action"`
	Source         Pair   `json:"source"`
	Destination    Pair   `json:"destination"`
	Authentication Pair   `json:"authentication"`
	Endpoint       Pair   `json:"endpoint"`
	// Changed are the attributes that change.
	Changed List[string] `json:"changed"`
	Cause   phrase       `json:"cause"`

	redirected bool // it closes between two domains, and opens between others
	stateOnly  bool // nothing but its state changes
}

// routeEndpoints are the attributes with the domains of a route.
var routeEndpoints = []string{"source", "destination"}

func (b *builder) routes() {
	for _, o := range b.byKind["kuscia_domain_route"] {
		if !o.touched() {
			continue
		}
		r := Route{
			Address: o.address, Action: o.action, Source: o.both("source"), Destination: o.both("destination"),
			Authentication: o.both("authentication_type"), Endpoint: o.both("endpoint", "host"), Cause: o.cause(),
			redirected: o.redirected(routeEndpoints...), stateOnly: !o.sends(),
		}
		if o.action == Update {
			r.Changed = changedPaths(o.before, o.after, 6)
		}
		b.report.Routes = append(b.report.Routes, r)
		b.findRoute(r)
	}
}

func (b *builder) findRoute(r Route) {
	of := func(source, destination string) phrase {
		return concat(say("from "), shown(source), say(" to "), shown(destination))
	}
	f := Finding{Address: r.Address, Categories: []Category{Routed}, Effect: r.phrase(), subject: of(r.Source.latest(), r.Destination.latest())}
	switch {
	case r.Action == Create:
		f.kind = routeOpens
	case r.Action == Delete:
		f.kind, f.Categories = routeCloses, []Category{Routed, Destroy}
	case r.redirected:
		closes := f
		closes.kind, closes.Categories, closes.subject = routeCloses, []Category{Routed, Replaced}, of(r.Source.Before, r.Destination.Before)
		b.find(closes)
		f.kind = routeOpens
	case r.Action == Replace:
		f.kind, f.Categories = routeChanges, []Category{Routed, Replaced}
	case r.Action == Forget:
		f.kind, f.Categories, f.subject = otherForgotten, []Category{Forgotten}, show(r.Address)
	case r.stateOnly:
		f.kind, f.Categories = otherChanged, nil
	default:
		f.kind = routeChanges
	}
	b.find(f)
}

// phrase says what happens to a route.
func (r Route) phrase() phrase {
	switch r.Action {
	case Create:
		return say("opens")
	case Delete:
		return say("closes")
	case Forget:
		return say("stays, no longer managed")
	case Replace:
		text := say("closes and opens again")
		if r.redirected {
			text = say("closes, and another opens")
		}
		if len(r.Cause) > 0 {
			text = concat(text, say(", because of "), r.Cause)
		}
		return text
	}
	if len(r.Changed) == 0 {
		return say("changes")
	}
	return concat(say("changes: "), join(", ", values(r.Changed, 5)...))
}
