package review

import (
	"maps"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
)

// domainAttributes are the attributes of all types that name a domain.
var domainAttributes = []string{"domain_id", "grant_domain", "source", "destination", "initiator", "namespace"}

// domains finds the domains that each object is about, and all that the plan touches.
func (b *builder) domains() {
	byImage := map[string][]string{} // the domains of the parties with an app image
	touched := map[string]bool{}
	b.report.domainsOf = map[string][]string{}
	add := func(o *plan.Object, found []string) {
		b.report.domainsOf[o.Address] = compact(slices.Concat(b.report.domainsOf[o.Address], found))
		if o.Touched() {
			for _, domain := range found {
				touched[domain] = true
			}
		}
	}
	for i := range b.objects {
		o := &b.objects[i]
		var found []string
		for _, side := range []plan.Value{o.Before, o.After} {
			for _, attribute := range domainAttributes {
				if domain := side.At(attribute).Name(); domain != "" && (attribute != "source" || o.Kind == "kuscia_domain_route") {
					found = append(found, domain)
				}
			}
			for _, p := range partiesOf(side) {
				if domain := p.domain().Name(); domain != "" {
					found = append(found, domain)
					byImage[p.At("app_image").ID()] = append(byImage[p.At("app_image").ID()], domain)
				}
			}
		}
		add(o, found)
	}
	for _, o := range b.byKind["kuscia_app_image"] {
		add(o, byImage[o.Latest().At("name").ID()])
	}
	b.report.Domains = slices.Sorted(maps.Keys(touched))
}

// For is the part of a report that one organization has to know, and what it has to do. The gate is
// about the whole plan.
func (r *Report) For(domain string) *Report {
	of := *r
	of.Audience = domain
	concerns := func(address string) bool { return slices.Contains(r.domainsOf[address], domain) }
	of.Findings = only(r.Findings, func(f Finding) bool { return concerns(f.Address) })
	of.Servings = nil
	for _, s := range r.Servings {
		if s.Parties = only(s.Parties, func(p Party) bool { return p.Domain == domain }); len(s.Parties) > 0 {
			of.Servings = append(of.Servings, s)
		}
	}
	of.Releases = only(r.Releases, func(x Release) bool { return strings.HasPrefix(x.Name, domain+"/") })
	ofAccess := func(a Access) bool { return a.Reader == domain || a.Owner == domain || concerns(a.Address) }
	of.Access, of.DriftAccess = only(r.Access, ofAccess), only(r.DriftAccess, ofAccess)
	of.Grants = only(r.Grants, func(g Grant) bool { return concerns(g.Address) })
	of.Data = only(r.Data, func(d Data) bool { return d.Owner == domain })
	of.Routes = only(r.Routes, func(x Route) bool { return concerns(x.Address) })
	of.Credentials = only(r.Credentials, func(c Credential) bool { return concerns(c.Address) })
	of.Programs = only(r.Programs, func(p Program) bool { return concerns(p.Address) })
	ofValues := func(v Values) bool { return concerns(v.Address) }
	of.Values, of.DriftValues = only(r.Values, ofValues), only(r.DriftValues, ofValues)
	ofOther := func(o Other) bool { return concerns(o.Address) }
	of.Others, of.Drift, of.Deferred = only(r.Others, ofOther), only(r.Drift, ofOther), only(r.Deferred, ofOther)
	of.Verdict = r.verdictOf(domain)
	of.Verdict.MissingReferences = r.Verdict.MissingReferences
	of.ToDo = of.toDo()
	of.graph = r.graph.Around(domain)
	of.Headline = of.headline()
	return &of
}

// only is a new list of the elements that fit.
func only[T any](list List[T], fits func(T) bool) List[T] {
	return slices.DeleteFunc(slices.Clone(list), func(element T) bool { return !fits(element) })
}

// toDo is what the organization of a report has to do or to have ready.
func (r *Report) toDo() []phrase.Phrase {
	var all []phrase.Phrase
	for _, a := range r.Access {
		if a.Owner == r.Audience && a.Reader != a.Owner && (a.Change == gained || a.Change == changed) {
			all = append(all, phrase.Say("Approve that {} sees {}: {}", readerPhrase(a.Reader), a.subject, a.After))
		}
	}
	for _, s := range r.Servings {
		for _, p := range s.Parties {
			if p.Action == plan.Delete || p.Effect == EffectForgotten {
				continue
			}
			if image := p.Image.After; image != "" && (p.Image.Changed() || p.Action == plan.Create) {
				all = append(all, phrase.Say("Have the image {} in the cluster of {}", plan.Shown(image), phrase.Show(r.Audience)))
			}
			if model := p.Model.After; model != "" && (p.Model.Changed() || p.Action == plan.Create) {
				all = append(all, phrase.Say("Have the model {} of the serving {} ready", plan.Shown(model), phrase.Show(s.Name)))
			}
			if p.Effect.interrupts() {
				all = append(all, phrase.Say("Tell those who use the serving {}: {}", phrase.Show(s.Name), p.phrase(s.Action, s.Cause)))
			}
		}
	}
	for _, x := range r.Routes {
		if x.Action == plan.Delete || x.Action == plan.Forget {
			continue
		}
		host := plan.Shown(x.Endpoint.After)
		switch {
		case len(host) == 0:
		case x.Destination.After == r.Audience:
			all = append(all, phrase.Say("Let {} reach {} at {}", plan.Shown(x.Source.After), phrase.Show(r.Audience), host))
		case x.Source.After == r.Audience:
			all = append(all, phrase.Say("Let the nodes of {} reach {} at {}", phrase.Show(r.Audience), plan.Shown(x.Destination.After), host))
		}
	}
	for _, c := range r.Credentials {
		if c.Kind == "certificate" {
			all = append(all, phrase.Say("Use the key of the certificate {} of {}: {}", phrase.Show(c.Attribute), phrase.Show(c.Address), c.phrase()))
		}
	}
	return all
}

// askLines say who is to be asked.
func (r *Report) askLines() []phrase.Phrase {
	var all []phrase.Phrase
	for _, domain := range r.Domains {
		if owners := r.Owners[domain]; len(owners) > 0 && (r.Audience == "" || domain == r.Audience) {
			all = append(all, phrase.Say("{}: {}", phrase.Show(domain), phrase.Join(", ", phrase.Values(owners, 5)...)))
		}
	}
	if len(all) == 0 {
		return nil
	}
	return []phrase.Phrase{phrase.Say("To ask: {}", phrase.Join("; ", phrase.First(all, maxReaders)...))}
}
