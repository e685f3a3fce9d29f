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
		if source := b.sourceOf(o); source != o { // the entry of a data source
			found = append(found, source.Latest().At("domain_id").Name())
		}
		add(o, slices.DeleteFunc(found, func(domain string) bool { return domain == "" }))
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
	ofProgram := func(p Program) bool { return concerns(p.Address) }
	of.Programs, of.driftPrograms = only(r.Programs, ofProgram), only(r.driftPrograms, ofProgram)
	ofValues := func(v Values) bool { return concerns(v.Address) }
	of.Values, of.DriftValues = only(r.Values, ofValues), only(r.DriftValues, ofValues)
	ofOther := func(o Other) bool { return concerns(o.Address) }
	of.Others, of.Drift, of.Deferred = only(r.Others, ofOther), only(r.Drift, ofOther), only(r.Deferred, ofOther)
	of.Verdict = r.verdictOf(domain)
	of.Verdict.MissingReferences = r.Verdict.MissingReferences
	of.ToDo = r.ToDos[domain]
	of.installations = nil
	of.graph = r.graph.Around(domain)
	of.Headline = of.headline()
	return &of
}

// only is a new list of the elements that fit.
func only[T any](list List[T], fits func(T) bool) List[T] {
	return slices.DeleteFunc(slices.Clone(list), func(element T) bool { return !fits(element) })
}

// toDos are what the organization of each domain has to do or to have ready that the plan touches, or
// whose data others have given.
func (r *Report) toDos() map[string]List[phrase.Phrase] {
	all := map[string]List[phrase.Phrase]{}
	for _, domain := range r.Domains {
		all[domain] = nil
	}
	tell := func(domain string, text phrase.Words, args ...phrase.Phrase) {
		if domain != "" {
			all[domain] = append(all[domain], phrase.Say(text, args...))
		}
	}
	for _, a := range r.DriftAccess {
		tell(a.Owner, "Ask who has changed the access of {} to {} outside of this plan", readerPhrase(a.Reader), a.subject)
	}
	for _, a := range r.Access {
		switch {
		case a.what == "features" && a.tells():
			tell(a.Reader, "Agree that the pods of {} read {} from {}", plan.Shown(a.Reader), a.subject, a.After)
		case a.tells(), a.Way == conditions:
			tell(a.Owner, "Agree that {} may see {}: {}", readerPhrase(a.Reader), a.subject, a.After)
		case a.Way == givenAgain:
			tell(a.Reader, "Do without {} until it is given again", a.subject)
		case a.Way == kept:
			tell(a.Owner, "Take the access of {} to {} away elsewhere, if it must end", readerPhrase(a.Reader), a.subject)
		case a.Way == lost:
			tell(a.Reader, "Do without {}: the access ends", a.subject)
		}
	}
	for _, s := range slices.Concat(r.Servings, r.redeployed) {
		r.toDoOfServing(s, tell)
	}
	r.toDoOfRoutes(tell)
	for _, f := range r.Findings {
		for _, domain := range r.domainsOf[f.Address] {
			switch name := phrase.Show(domain); {
			case f.subject.Plain(phrase.English) != name.Plain(phrase.English):
			case f.kind == domainRemoved:
				tell(domain, "Remove data, grants and routes of {} too, if they must not stay", name)
			case f.kind == domainReplaced:
				tell(domain, "Take the new deploy token of {}", name)
			}
		}
	}
	for _, c := range r.Credentials {
		if c.Kind == "certificate" {
			for _, domain := range r.domainsOf[c.Address] {
				tell(domain, "Compare the fingerprint with your own certificate ({} of {}): {}", phrase.Show(c.Attribute), phrase.Show(c.Address), c.phrase())
			}
		}
	}
	return all
}

// toDoOfServing are what organizations have to do for a serving.
func (r *Report) toDoOfServing(s Serving, tell func(string, phrase.Words, ...phrase.Phrase)) {
	name := phrase.Show(s.Name)
	for _, p := range s.Parties {
		stays := p.Action != plan.Delete
		if p.Effect == EffectForgotten {
			continue
		}
		isNew := p.Image.Changed() || p.Action == plan.Create
		switch image := p.Image.After; {
		case !stays || image == "" || !isNew:
		case p.onlyApp:
			tell(p.Domain, "Have the image of the app image {} in the cluster of {}, which this plan does not name", plan.Shown(p.AppImage.After), plan.Shown(p.Domain))
		default:
			tell(p.Domain, "Have the image {} in the cluster of {}", plan.Shown(image), plan.Shown(p.Domain))
		}
		if model := p.Model.After; stays && model != "" && (p.Model.Changed() || p.Action == plan.Create) {
			tell(p.Domain, "Have the model {} of the serving {} ready", plan.Shown(model), name)
		}
		switch {
		case !stays:
			tell(p.Domain, "Tell those who use the serving {}: the pods of {} stop for good", name, plan.Shown(p.Domain))
		case p.Effect.interrupts():
			tell(p.Domain, "Tell those who use the serving {}: {}", name, p.phrase(s.Action, s.Cause))
		}
		if stays && s.Action == plan.Replace {
			tell(p.Domain, "Look up the ports of the serving {} after the apply: Kuscia allocates all again", name)
		}
	}
}

// toDoOfRoutes are what organizations have to do for routes.
func (r *Report) toDoOfRoutes(tell func(string, phrase.Words, ...phrase.Phrase)) {
	for _, x := range r.Routes {
		source, destination := plan.Shown(x.Source.After), plan.Shown(x.Destination.After)
		if x.Action == plan.Delete || x.redirected {
			tell(x.Source.Before, "Do without requests to {}: the route closes", plan.Shown(x.Destination.Before))
		}
		if x.Action == plan.Delete || x.Action == plan.Forget || x.stateOnly {
			continue
		}
		if host := x.where(); len(host) > 0 {
			tell(x.Destination.After, "Let {} reach {} at {}", source, destination, host)
			tell(x.Source.After, "Let the nodes of {} reach {} at {}", source, destination, host)
		}
		opens := x.Action == plan.Create || x.redirected
		if opens && !r.routed[[2]string{x.Destination.After, x.Source.After}] {
			tell(x.Destination.After, "If pods of {} send requests themselves: ask for a route back to {}, which this plan does not have", destination, source)
		}
		if x.Action == plan.Replace && !x.redirected {
			tell(x.Source.After, "Tell those who send requests to {}: they fail while the route is replaced", destination)
		}
	}
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
