package review

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/category"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
)

// Route is a kuscia_domain_route that changes.
type Route struct {
	Address        string      `json:"address"`
	Action         plan.Action `json:"action"`
	Source         plan.Pair   `json:"source"`
	Destination    plan.Pair   `json:"destination"`
	Authentication plan.Pair   `json:"authentication"`
	Endpoint       plan.Pair   `json:"endpoint"`
	// Changed are the attributes that change.
	Changed List[string]  `json:"changed"`
	Cause   phrase.Phrase `json:"cause"`

	// at is the address with ports, of each side.
	at         [2]phrase.Phrase
	redirected bool // it closes between two domains, and opens between others
	stateOnly  bool // nothing but its state changes
}

// maxPorts is the number of ports of a route that are shown.
const maxPorts = 4

// routeAddress is where a route goes: the host with the port, and whether it is encrypted.
func routeAddress(v plan.Value) phrase.Phrase {
	host, ports := plan.Shown(v.At("endpoint", "host").Text()), v.At("endpoint", "ports")
	if len(host) == 0 {
		return nil
	}
	var all []phrase.Phrase
	for _, key := range ports.Keys() {
		p := ports.At(key)
		text := phrase.Words("port {} ({} without TLS)")
		switch p.At("is_tls").Is(plan.Equals(true)) {
		case plan.Yes:
			text = "port {} ({} with TLS)"
		case plan.Maybe:
			text = "port {} ({}, TLS not known)"
		}
		all = append(all, phrase.Say(text, plan.Shown(p.At("port").Text()), plan.Shown(p.At("protocol").Text())))
	}
	return phrase.Join(", ", append([]phrase.Phrase{host}, phrase.First(all, maxPorts)...)...)
}

// where is the address before and after.
func (r Route) where() phrase.Phrase {
	before, after := r.at[0], r.at[1]
	switch {
	case len(after) == 0, r.Action == plan.Delete, r.Action == plan.Forget:
		return before
	case len(before) == 0, before.Plain(phrase.English) == after.Plain(phrase.English):
		return after
	}
	return phrase.Say("{} → {}", before, after)
}

// routeEndpoints are the attributes with the domains of a route.
var routeEndpoints = []string{"source", "destination"}

func (b *builder) routes() {
	b.report.routed = map[[2]string]bool{}
	for _, o := range b.byKind["kuscia_domain_route"] {
		if o.After.Exists() {
			b.report.routed[[2]string{o.After.At("source").Text(), o.After.At("destination").Text()}] = true
		}
		if !o.Touched() {
			continue
		}
		r := Route{
			Address: o.Address, Action: o.Action, Source: o.Both("source"), Destination: o.Both("destination"),
			Authentication: o.Both("authentication_type"), Endpoint: o.Both("endpoint", "host"), Cause: o.Cause(),
			at: [2]phrase.Phrase{routeAddress(o.Before), routeAddress(o.After)}, redirected: o.Redirected(routeEndpoints...), stateOnly: !o.Sends(),
		}
		if o.Action == plan.Update {
			r.Changed = plan.ChangedPaths(o.Before, o.After, 6)
		}
		b.report.Routes = append(b.report.Routes, r)
		b.findRoute(r)
	}
}

func (b *builder) findRoute(r Route) {
	of := func(source, destination string) phrase.Phrase {
		return phrase.Say("from {} to {}", plan.Shown(source), plan.Shown(destination))
	}
	f := Finding{Address: r.Address, Categories: []category.Category{category.Routed}, Effect: r.phrase(), subject: of(r.Source.Latest(), r.Destination.Latest())}
	switch {
	case r.Action == plan.Create:
		f.kind = routeOpens
	case r.Action == plan.Delete:
		f.kind, f.Categories = routeCloses, []category.Category{category.Routed, category.Destroy}
	case r.redirected:
		closes := f
		closes.kind, closes.Categories, closes.subject = routeCloses, []category.Category{category.Routed, category.Replaced}, of(r.Source.Before, r.Destination.Before)
		b.find(closes)
		f.kind = routeOpens
	case r.Action == plan.Replace:
		f.kind, f.Categories = routeReplaced, []category.Category{category.Routed, category.Replaced}
	case r.Action == plan.Forget:
		f.kind, f.Categories, f.subject = otherForgotten, []category.Category{category.Forgotten}, phrase.Say("the route {}", f.subject)
	case r.stateOnly:
		f.kind, f.Categories, f.subject = otherChanged, nil, phrase.Say("the route {}", f.subject)
	default:
		f.kind = routeChanges
	}
	b.find(f)
}

// phrase says what happens to a route.
func (r Route) phrase() phrase.Phrase {
	switch r.Action {
	case plan.Create:
		return phrase.Say("opens")
	case plan.Delete:
		return phrase.Say("closes")
	case plan.Forget:
		return phrase.Say("stays, no longer managed")
	case plan.Replace:
		text := phrase.Say("closes and opens again")
		if r.redirected {
			text = phrase.Say("closes, and another opens")
		}
		if len(r.Cause) > 0 {
			text = phrase.Say("{}, because of {}", text, r.Cause)
		}
		return text
	}
	if len(r.Changed) == 0 {
		return phrase.Say("changes")
	}
	return phrase.Say("changes: {}", phrase.Join(", ", phrase.Values(r.Changed, 5)...))
}
