package review

import (
	"maps"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
)

// domainAttributes are the attributes of all types that name a domain.
var domainAttributes = [][]string{
	{"domain_id"}, {"grant_domain"}, {"source"}, {"destination"}, {"initiator"}, {"namespace"}, {"master_domain_id"}, {"transit", "domain_id"},
}

// agreement is what the organization of a domain has to agree to.
type agreement struct {
	domain string
	text   phrase.Phrase
}

// agree notes what organizations have to agree to.
func (b *builder) agree(text phrase.Phrase, domains ...string) {
	for _, domain := range compact(domains) {
		b.report.agreements = append(b.report.agreements, agreement{domain, text})
	}
}

// expose finds what a change newly lets others see or do, which the organizations of domains have to
// agree to.
func (b *builder) expose(f Finding, agree phrase.Phrase, domains ...string) {
	b.find(f)
	b.agree(agree, domains...)
}

// concerned is an object with the domains that it is about.
type concerned struct {
	*plan.Object
	touched bool
}

// domains finds the domains that each object is about, and all that the plan touches. A change of
// which it is not known whom it is about may be about everyone.
func (b *builder) domains() {
	r := &b.report
	byImage := map[string][]string{} // the domains of the parties with an app image
	touched, known, hides := map[string]bool{}, map[string]bool{}, map[string]bool{}
	r.domainsOf, r.ofEveryone = map[string][]string{}, map[string]bool{}
	add := func(o concerned, found []string, hidden bool) {
		r.domainsOf[o.Address] = append(r.domainsOf[o.Address], found...)
		hides[o.Address] = hides[o.Address] || hidden // of several objects of one address
		r.ofEveryone[o.Address] = hides[o.Address] || len(r.domainsOf[o.Address]) == 0
		for _, domain := range found {
			known[domain] = true
			touched[domain] = touched[domain] || o.touched
		}
	}
	all := b.concerned()
	for _, o := range all {
		found, hidden := b.domainsIn(o.Object)
		for _, side := range []plan.Value{o.Before, o.After} {
			for _, p := range partiesOf(side) {
				if domain := p.domain().Name(); domain != "" {
					byImage[p.At("app_image").ID()] = append(byImage[p.At("app_image").ID()], domain)
				}
			}
		}
		add(o, found, hidden || b.mayTakeOver(*o.Object))
	}
	for _, o := range b.byKind["kuscia_app_image"] {
		add(concerned{o, o.Touched()}, byImage[o.Latest().At("name").ID()], false)
	}
	b.addReaders()
	for _, domain := range b.addTrusting() {
		touched[domain] = true
	}
	for address, domains := range r.domainsOf {
		r.domainsOf[address] = compact(domains)
	}
	for _, o := range b.asked {
		for _, domain := range r.domainsOf[o.Address] {
			touched[domain] = true
		}
	}
	for _, a := range slices.Concat(r.Access, r.DriftAccess) {
		touched[a.Reader], touched[a.Owner] = true, true
		r.Everyone = r.Everyone || a.ofAnyone()
	}
	for _, o := range all {
		r.Everyone = r.Everyone || o.touched && r.ofEveryone[o.Address]
	}
	r.Everyone = r.Everyone || slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.kind.isProgram() })
	for domain := range touched {
		known[domain] = true
	}
	maps.DeleteFunc(known, func(domain string, _ bool) bool { return isHidden(domain) })
	r.known = slices.Sorted(maps.Keys(known))
	for domain := range touched {
		if isAsked := touched[domain] || r.Everyone && known[domain]; isHidden(domain) || !isAsked {
			delete(touched, domain)
		}
	}
	r.Domains = slices.Sorted(maps.Keys(touched))
}

// concerned are all that a report speaks of: objects, actions, and what is left for another plan or
// was changed by others.
func (b *builder) concerned() []concerned {
	var all []concerned
	for i := range b.objects {
		all = append(all, concerned{&b.objects[i], b.objects[i].Touched()})
	}
	for i := range b.asked {
		all = append(all, concerned{&b.asked[i], true})
	}
	for i := range b.drifted {
		all = append(all, concerned{&b.drifted[i], true})
	}
	return all
}

// domainsIn are the domains that an object names. hidden: it has others, which are not known.
func (b *builder) domainsIn(o *plan.Object) (found []string, hidden bool) {
	look := func(v plan.Value) {
		if domain := v.Name(); domain != "" {
			found = append(found, domain)
		}
		hidden = hidden || v.IsUnknown() || v.Exists() && v.IsSensitive()
	}
	for _, side := range []plan.Value{o.Before, o.After} {
		for _, attribute := range domainAttributes {
			switch v := side.At(attribute...); {
			case attribute[0] == "source" && o.Kind != "kuscia_domain_route":
			case attribute[0] != "initiator" || v.Name() != "": // which is one of the parties
				look(v)
			}
		}
		parties := side.At("parties")
		hidden = hidden || parties.IsUnknown() || parties.Exists() && parties.IsSensitive()
		for _, p := range partiesOf(side) {
			look(p.domain())
		}
	}
	for _, e := range b.sourcesOf(o) {
		switch {
		case e.key == "": // is looked at above
		case b.entriesOf.adds(o.Provider, sourceID{source: e.key}) && len(e.domains) > maxOften:
			hidden = true
		default:
			found, hidden = append(found, e.domains...), hidden || e.isHidden
		}
	}
	if o.Kind == "kuscia_serving_redeploy" {
		for _, at := range b.servingsAt[o.After.At("serving_id").ID()] {
			of, unknown := b.domainsIn(b.workloads[at].Object)
			found, hidden = append(found, of...), hidden || unknown
		}
	}
	return compact(found), hidden
}

// addReaders adds to data, and to data sources, who reads them by grants of the plan.
func (b *builder) addReaders() {
	r := &b.report
	readers, objects := map[dataID][]string{}, map[dataID]int{}
	for _, o := range b.byKind["kuscia_domain_data_grant"] {
		for _, side := range []plan.Value{o.Before, o.After} {
			if id, ok := dataOf(side); ok {
				readers[id] = append(readers[id], side.At("grant_domain").Text())
			}
		}
	}
	for id, names := range readers {
		readers[id] = compact(names)
	}
	for _, o := range b.concerned() {
		if o.Kind != "kuscia_domain_data" {
			continue
		}
		for _, side := range []plan.Value{o.Before, o.After} {
			id, ok := dataOf(side)
			if objects[id]++; !ok || len(readers[id]) == 0 {
				continue
			}
			if objects[id] > maxOften && len(readers[id]) > maxOften { // there would be more than the plan has objects
				r.ofEveryone[o.Address] = true
				continue
			}
			r.concern(o.Address, readers[id]...)
		}
	}
	for _, d := range b.changedData() { // other configurations may have grants of it beside those of the plan
		r.ofEveryone[d.Address] = true
	}
	told := often{}
	for i := range b.asked {
		o := &b.asked[i]
		if !slices.Contains([]string{"kuscia_domain_data", "kuscia_domain_data_source", "kuscia_config"}, o.Kind) {
			continue
		}
		r.ofEveryone[o.Address] = true
		b.eachSource(o, b.sourcesOf(o), told, func(o, source *plan.Object, many *entry) {
			if many == nil {
				r.concern(o.Address, b.dataIn(source, source.Latest()).readers...)
			}
		})
	}
	for _, o := range b.byKind["kuscia_domain_data_source"] {
		if isRemoved(o) { // other configurations may have data in it
			r.concern(o.Address, "")
		}
	}
	for _, a := range r.Access {
		if a.what == "source" || a.Reader == "" {
			r.concern(a.Address, a.Reader)
		}
	}
}

// changedData is the data that the plan or others remove, or make other data.
func (b *builder) changedData() []Data {
	if b.report.outside == nil {
		return b.report.Data
	}
	return slices.Concat(b.report.Data, b.report.outside.Data)
}

// distrusted is a domain that others may act as, or control, from then on.
type distrusted struct {
	address, domain string
	// isNew: no other configuration trusts it.
	isNew bool
	agree phrase.Phrase // what those agree to who trust it, if the plan does it
}

// distrust notes a domain that others may act as, or control.
func (b *builder) distrust(address string, domain plan.Value, isNew bool, agree phrase.Phrase) {
	b.distrusted = append(b.distrusted, distrusted{address, domain.Name(), isNew, agree})
}

// addTrusting adds everyone to domains that others may act as, or control: who trusts them is known to all
// configurations only together. Those whom the plan knows have to agree, and are returned.
func (b *builder) addTrusting() []string {
	trusted := map[string]map[string]*trust{}
	for _, d := range b.distrusted {
		b.report.ofEveryone[d.address] = b.report.ofEveryone[d.address] || !d.isNew
		if d.domain != "" {
			trusted[d.domain] = map[string]*trust{}
		}
	}
	if len(trusted) > maxDistrusted {
		return b.addAllTrusting(trusted)
	}
	b.findTrust(trusted)
	var all []string
	for _, d := range b.distrusted {
		for _, domain := range slices.Sorted(maps.Keys(trusted[d.domain])) {
			all = append(all, domain)
			b.report.concern(d.address, domain)
			if len(d.agree) > 0 {
				b.agree(phrase.Say("{}, which {}", d.agree, trusted[d.domain][domain].phrase(domain)), domain)
			}
		}
	}
	return all
}

// maxDistrusted is the number of domains up to which those who trust them are told of each.
const maxDistrusted = 30

// addAllTrusting is addTrusting for many domains: who trusts any of them is told once.
func (b *builder) addAllTrusting(trusted map[string]map[string]*trust) []string {
	anyone := map[string]*trust{}
	for domain := range trusted {
		trusted[domain] = anyone
	}
	b.findTrust(trusted)
	isAsked := false
	for _, d := range b.distrusted {
		b.report.ofEveryone[d.address] = true
		isAsked = isAsked || len(d.agree) > 0
	}
	all := slices.Sorted(maps.Keys(anyone))
	if isAsked {
		b.agree(phrase.Say("Agree to what is said above of {} domains, for those that you trust", phrase.Number(len(trusted))), all...)
	}
	return all
}

// trust is why a domain trusts another one: what it lets it read, the servings of both, and a route.
type trust struct {
	reads, servings []string
	isRouted        bool
}

// findTrust finds who trusts these domains after the change.
func (b *builder) findTrust(trusted map[string]map[string]*trust) {
	of := func(domain, by string) *trust {
		if trusted[domain] == nil || by == "" || by == domain {
			return &trust{}
		}
		if trusted[domain][by] == nil {
			trusted[domain][by] = &trust{}
		}
		return trusted[domain][by]
	}
	for _, o := range b.objects {
		if len(trusted) == 0 || o.Action == plan.Delete {
			continue
		}
		v := o.Latest()
		switch o.Kind {
		case "kuscia_domain_data_grant":
			t := of(v.At("grant_domain").Name(), v.At("domain_id").Name())
			t.reads = append(t.reads, v.At("domaindata_id").Text())
		case "kuscia_domain_route":
			source, destination := v.At("source").Name(), v.At("destination").Name()
			of(source, destination).isRouted, of(destination, source).isRouted = true, true
		case "kuscia_serving", "kuscia_deployment":
			name := o.Name("serving_id", "name")
			var parties []string
			for _, p := range partiesOf(v) {
				parties = append(parties, p.domain().Name())
			}
			for _, domain := range parties {
				if trusted[domain] == nil {
					continue
				}
				for _, by := range parties {
					if t := of(domain, by); len(t.servings) == 0 || t.servings[len(t.servings)-1] != name {
						t.servings = append(t.servings, name)
					}
				}
			}
		}
	}
}

// phrase says what a domain does that another one trusts.
func (t trust) phrase(by string) phrase.Phrase {
	var all []phrase.Phrase
	if len(t.reads) > 0 {
		all = append(all, phrase.Say("may read {}", shownNames(t.reads)))
	}
	if len(t.servings) > 0 {
		all = append(all, phrase.Say("is in the serving {}", shownNames(t.servings)))
	}
	if t.isRouted {
		all = append(all, phrase.Say("has a route with {}", phrase.Show(by)))
	}
	return phrase.And(all...)
}

// shownNames are names, as they may be shown.
func shownNames(names []string) phrase.Phrase {
	var all []phrase.Phrase
	for _, name := range compact(names) {
		all = append(all, plan.Shown(name))
	}
	return phrase.Brief(", ", maxNamed, all...)
}

// concern adds domains to those that an object is about; one that is not known may be any.
func (r *Report) concern(address string, domains ...string) {
	for _, domain := range domains {
		if isHidden(domain) {
			r.ofEveryone[address] = true
		} else {
			r.domainsOf[address] = append(r.domainsOf[address], domain)
		}
	}
}

// isHidden reports whether the text of a domain is not its name.
func isHidden(domain string) bool {
	return slices.Contains([]string{"", plan.SensitiveText, plan.UnknownText}, domain)
}

// ofAnyone reports whether it is not known who gets or has the access.
func (a Access) ofAnyone() bool {
	return isHidden(a.Reader) || a.Owner != "" && isHidden(a.Owner)
}

// For is the part of a report that one organization has to know, and what it has to do. The gate is
// about the whole plan.
func (r *Report) For(domain string) *Report {
	of := r.partOf(domain, func(address string) bool {
		found, ok := r.domainsOf[address]
		return !ok || r.ofEveryone[address] || slices.Contains(found, domain)
	})
	of.Audience = domain
	of.Verdict = r.verdictOf(domain)
	of.Verdict.MissingReferences = r.Verdict.MissingReferences
	of.ToDo = r.ToDos[domain]
	of.ToDosOfOthers = only(r.ToDosOfOthers, func(t ToDo) bool { return !slices.Contains(r.domainsOf[t.Address], domain) })
	of.installations = nil
	of.graph = r.graph.Around(domain)
	of.Headline = of.headline()
	if !slices.Contains(r.known, domain) {
		of.Headline = phrase.Join(" ", r.withoutDomain(domain), of.Headline)
	}
	return of
}

// withoutDomain says that the plan does not have a domain, whose name may be a mistake.
func (r *Report) withoutDomain(domain string) phrase.Phrase {
	text := phrase.Say("This plan does not have the domain {}.", phrase.Show(domain))
	if len(r.known) > 0 {
		text = phrase.Say("{} It has {}.", text, phrase.Join(", ", phrase.Values(r.known, maxListed)...))
	}
	return text
}

// partOf is what a report says of a domain, of whose objects it reports whether they concern it.
func (r *Report) partOf(domain string, concerns func(address string) bool) *Report {
	of := *r
	if r.outside != nil {
		of.outside = r.outside.partOf(domain, concerns)
	}
	of.Findings = only(r.Findings, func(f Finding) bool { return f.kind.isProgram() || concerns(f.Address) })
	of.Servings = nil
	for _, s := range r.Servings {
		isOwn := func(p Party) bool { return p.Domain == domain || isHidden(p.Domain) }
		if slices.ContainsFunc(s.Parties, isOwn) { // those that stop are missing to all others
			s.Parties = only(s.Parties, func(p Party) bool { return isOwn(p) || p.Effect.interrupts() })
			of.Servings = append(of.Servings, s)
		}
	}
	of.Releases = only(r.Releases, func(x Release) bool { return strings.HasPrefix(x.Name, domain+"/") })
	ofAccess := func(a Access) bool {
		return a.Reader == domain || a.Owner == domain || a.ofAnyone() || concerns(a.Address)
	}
	of.Access, of.DriftAccess = only(r.Access, ofAccess), only(r.DriftAccess, ofAccess)
	of.Grants = only(r.Grants, func(g Grant) bool { return concerns(g.Address) })
	of.Data = only(r.Data, func(d Data) bool { return d.Owner == domain || concerns(d.Address) })
	of.Routes = only(r.Routes, func(x Route) bool { return concerns(x.Address) })
	of.Credentials = only(r.Credentials, func(c Credential) bool { return concerns(c.Address) })
	ofProgram := func(p Program) bool { return concerns(p.Address) }
	of.Programs = only(r.Programs, ofProgram)
	ofValues := func(v Values) bool { return concerns(v.Address) }
	of.Values, of.DriftValues = only(r.Values, ofValues), only(r.DriftValues, ofValues)
	ofOther := func(o Other) bool { return concerns(o.Address) }
	of.Others, of.Drift, of.Deferred = only(r.Others, ofOther), only(r.Drift, ofOther), only(r.Deferred, ofOther)
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
		if !isHidden(domain) { // whoever that is, everyone is asked
			all[domain] = append(all[domain], phrase.Say(text, args...))
		}
	}
	for _, a := range r.agreements {
		tell(a.domain, "{}", a.text)
	}
	for _, a := range r.DriftAccess {
		tell(a.Owner, "Ask who has changed the access of {} to {} outside of this plan", readerPhrase(a.Reader), a.subject)
	}
	var changed []string
	effects := map[string][]phrase.Phrase{}
	for _, f := range r.dangers() {
		if len(effects[f.Address]) == 0 {
			changed = append(changed, f.Address)
		}
		effects[f.Address] = append(effects[f.Address], f.Effect)
	}
	for _, address := range changed {
		for _, domain := range r.domainsOf[address] {
			tell(domain, "Ask who has changed {} outside of this plan: {}", r.titles[address], phrase.Join("; ", effects[address]...))
		}
	}
	for _, a := range r.Access {
		switch {
		case a.what == "features" && a.tells():
			tell(a.Reader, "Agree that the pods of {} read {} from {}", plan.Shown(a.Reader), a.subject, a.After)
		case a.tells(), a.Way == conditions:
			tell(a.Owner, "Agree that {} may see {}: {}", readerPhrase(a.Reader), a.subject, a.After)
		case a.Way == givenAgain:
			tell(a.Reader, "Do without {} until the grant is created again", a.subject)
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
		if text := f.toDo(); len(text) > 0 {
			for _, domain := range r.domainsOf[f.Address] {
				tell(domain, "{}", text)
			}
			if r.ofEveryone[f.Address] {
				r.ToDosOfOthers = append(r.ToDosOfOthers, ToDo{f.Address, text})
			}
		}
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
		if c.Kind == "certificate" && c.Value.After != "" {
			for _, domain := range r.holders(c) {
				tell(domain, "Compare the fingerprint with your own certificate ({} of {}): {}", phrase.Show(c.Attribute), phrase.Show(c.Address), c.phrase())
			}
		}
	}
	return all
}

// toDo is what those have to do who have to do with an object, whether the plan knows them or not: nil for
// nothing.
func (f Finding) toDo() phrase.Phrase {
	switch f.kind {
	case fieldsRemoved:
		return phrase.Say("Agree that this may be removed, which no plan shows: {}", f.subject)
	case edgeInterrupted, edgeMayStop:
		return phrase.Say("Tell those who use the edge deployment {}: {}", f.subject, f.Effect)
	}
	if len(f.frees) > 0 {
		return phrase.Say("If {} is used elsewhere: do without it, and look at what is created under its name", f.frees)
	}
	return nil
}

// holders are the domains whose certificate it is: of a route, the source has the one of the client,
// and the destination the authority of its gateway.
func (r *Report) holders(c Credential) []string {
	for _, x := range r.Routes {
		switch {
		case x.Address != c.Address:
		case strings.HasSuffix(c.Attribute, "source_client_cert"):
			return []string{x.Source.After}
		case strings.HasSuffix(c.Attribute, "tls_ca"):
			return []string{x.Destination.After}
		}
	}
	return []string{c.domain}
}

// toDoOfServing are what organizations have to do for a serving.
func (r *Report) toDoOfServing(s Serving, tell func(string, phrase.Words, ...phrase.Phrase)) {
	name := phrase.Show(s.Name)
	var stopping []string
	for _, p := range s.Parties {
		if p.Effect.interrupts() {
			stopping = append(stopping, p.Domain)
		}
	}
	for _, p := range s.Parties {
		stays := p.Action != plan.Delete
		if p.Effect == EffectForgotten || !stays && p.Effect == EffectReplaced {
			continue
		}
		isNew := p.Image.Changed() || p.Action == plan.Create
		switch image := p.Image.After; {
		case !stays || image == "" || !isNew:
		case p.onlyApp && isHidden(p.AppImage.After), !p.onlyApp && isHidden(image):
			tell(p.Domain, "Have the image that {} gets in its cluster, which this plan does not name", plan.Shown(p.Domain))
		case p.onlyApp:
			tell(p.Domain, "Have the image of the app image {} in the cluster of {}, which this plan does not name", plan.Shown(p.AppImage.After), plan.Shown(p.Domain))
		default:
			tell(p.Domain, "Have the image {} in the cluster of {}", plan.Shown(image), plan.Shown(p.Domain))
		}
		if model := p.Model.After; stays && model != "" && (p.Model.Changed() || p.Action == plan.Create) {
			tell(p.Domain, "Have the model {} of the serving {} ready", plan.Shown(model), name)
		}
		switch {
		case !stays && len(s.successor) > 0:
			tell(p.Domain, "Tell those who use the serving {}: the pods of {} stop for good; {} takes its place, at another address", name, plan.Shown(p.Domain), s.successor)
		case !stays:
			tell(p.Domain, "Tell those who use the serving {}: the pods of {} stop for good", name, plan.Shown(p.Domain))
		case p.Effect.interrupts():
			tell(p.Domain, "Tell those who use the serving {}: {}", name, p.phrase(s.Action, s.Cause))
		case len(stopping) > 0:
			tell(p.Domain, "Tell those who use the serving {}: it is interrupted, since pods of {} stop, or may do so", name, phrase.Join(", ", phrase.Values(compact(slices.Clone(stopping)), maxListed)...))
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
		if x.Action == plan.Delete {
			tell(x.Source.Before, "Do without requests to {}: the route closes", plan.Shown(x.Destination.Before))
			tell(x.Destination.Before, "Do without requests from {}: the route closes", plan.Shown(x.Source.Before))
		}
		if x.Action == plan.Delete || x.Action == plan.Forget || x.stateOnly {
			continue
		}
		if host := x.reaches; len(host) > 0 {
			tell(x.Destination.After, "Let {} reach {} at {}", source, destination, host)
			tell(x.Source.After, "Let the nodes of {} reach {} at {}", source, destination, host)
		}
		if x.Action == plan.Create && !r.routed[[2]string{x.Destination.After, x.Source.After}] {
			tell(x.Destination.After, "If pods of {} send requests themselves: ask for a route back to {}, which this plan does not have", destination, source)
		}
		if x.Action == plan.Replace {
			tell(x.Source.After, "Tell those who send requests to {}: they fail while the route is replaced", destination)
			tell(x.Destination.After, "Tell those who get requests from {}: they fail while the route is replaced", source)
		}
	}
}

// askLines say who is to be asked.
func (r *Report) askLines() []phrase.Phrase {
	var all []phrase.Phrase
	for _, domain := range r.Domains {
		if owners := r.Owners[domain]; len(owners) > 0 && (r.Audience == "" || domain == r.Audience) {
			all = append(all, phrase.Say("{}: {}", phrase.Show(domain), phrase.Brief(", ", 5, phrase.Values(owners, phrase.Everything)...)))
		}
	}
	if len(all) == 0 {
		return nil
	}
	return []phrase.Phrase{phrase.Say("To ask: {}", phrase.Names("; ", all...))}
}
