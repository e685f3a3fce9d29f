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

	redirected bool // it closes between two domains, and opens between others
	stateOnly  bool // nothing but its state changes
}

// routeEndpoints are the attributes with the domains of a route.
var routeEndpoints = []string{"source", "destination"}

func (b *builder) routes() {
	for _, o := range b.byKind["kuscia_domain_route"] {
		if !o.Touched() {
			continue
		}
		r := Route{
			Address: o.Address, Action: o.Action, Source: o.Both("source"), Destination: o.Both("destination"),
			Authentication: o.Both("authentication_type"), Endpoint: o.Both("endpoint", "host"), Cause: o.Cause(),
			redirected: o.Redirected(routeEndpoints...), stateOnly: !o.Sends(),
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
		f.kind, f.Categories = routeChanges, []category.Category{category.Routed, category.Replaced}
	case r.Action == plan.Forget:
		f.kind, f.Categories, f.subject = otherForgotten, []category.Category{category.Forgotten}, phrase.Show(r.Address)
	case r.stateOnly:
		f.kind, f.Categories = otherChanged, nil
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
