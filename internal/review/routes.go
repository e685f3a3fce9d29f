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
	// Transit is the third domain that passes requests on; "" for none.
	Transit plan.Pair `json:"transit"`
	// Changed are the attributes that change.
	Changed List[string]  `json:"changed"`
	Cause   phrase.Phrase `json:"cause"`

	// at is the address with ports, of each side.
	at        [2]phrase.Phrase
	stateOnly bool // nothing but its state changes
	// removes is what may be removed although no plan shows it.
	removes phrase.Phrase
	// reaches is where the source is to reach the destination from then on, if that changes.
	reaches phrase.Phrase
}

// maxPorts is the number of ports of a route that a comment shows.
const maxPorts = 4

// transitDomain is the domain that passes the requests of a route on.
func transitDomain(v plan.Value) plan.Value { return v.At("transit", "domain_id") }

// routeAddress is where a route goes: the host with the port, and whether it is encrypted, or what it
// goes through.
func routeAddress(v plan.Value) phrase.Phrase {
	switch transit := transitDomain(v); {
	case !plan.IsUnset(transit):
		return phrase.Say("through {}", domainPhrase(transit.Text()))
	case v.At("transit").Exists():
		return phrase.Say("through a reverse tunnel")
	}
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
		port := phrase.Say(text, plan.Shown(p.At("port").Text()), plan.Shown(p.At("protocol").Text()))
		if prefix := p.At("path_prefix"); !plan.IsUnset(prefix) {
			port = phrase.Say("{} below {}", port, plan.Shown(prefix.Text()))
		}
		all = append(all, port)
	}
	return phrase.Join(", ", host, phrase.Brief(", ", maxPorts, all...))
}

// where is the address before and after.
func (r Route) where() phrase.Phrase {
	before, after := r.at[0], r.at[1]
	switch {
	case r.Action == plan.Delete, r.Action == plan.Forget:
		return before
	case len(before) == 0, before.Plain(phrase.English) == after.Plain(phrase.English):
		return after
	case len(after) == 0:
		return phrase.Say("{} → {}", before, phrase.Say("none"))
	}
	return phrase.Say("{} → {}", before, after)
}

// routeHost is the attribute with the host that gets the requests of a route, and routeAuthorities have the CA
// that vouches for it.
var (
	routeHost        = []string{"endpoint", "host"}
	routeAuthorities = []string{"mtls_config.tls_ca", "mtls_config"}
)

// requestsPhrase says of a route whose requests go to whom.
func requestsPhrase(source, destination string) phrase.Phrase {
	return phrase.Say("from {} to {}", plan.Shown(source), plan.Shown(destination))
}

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
			Authentication: o.Both("authentication_type"), Endpoint: o.Both(routeHost...), Transit: o.Both("transit", "domain_id"), Cause: o.Cause(),
			at: [2]phrase.Phrase{routeAddress(o.Before), routeAddress(o.After)}, stateOnly: !o.Sends(), removes: b.removalBy(o).phrase(),
		}
		if o.Action == plan.Update {
			r.Changed = plan.ChangedPaths(o.Before, o.After, 6)
		}
		switch { // a tunnel and a third domain have no address
		case o.After.At("transit").Exists():
		case o.Action == plan.Create, o.Before.At("transit").Exists():
			r.reaches = r.at[1]
		case r.at[0].Plain(phrase.English) != r.at[1].Plain(phrase.English), o.Changes(routeHost...):
			r.reaches = r.where()
		}
		b.report.Routes = append(b.report.Routes, r)
		b.findRoute(r)
		b.findExposed(o, r)
	}
}

func (b *builder) findRoute(r Route) {
	f := Finding{Address: r.Address, Categories: []category.Category{category.Routed}, Effect: r.phrase(), subject: requestsPhrase(r.Source.Latest(), r.Destination.Latest())}
	switch {
	case r.Action == plan.Create:
		f.kind = routeOpens
	case r.Action == plan.Delete:
		f.kind, f.Categories = routeCloses, []category.Category{category.Routed, category.Destroy}
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

// findExposed finds what a route newly lets others see or do.
func (b *builder) findExposed(o *plan.Object, r Route) {
	from := o.AsChange()
	was, is := from.Before, from.After
	if o.Action == plan.Forget || !is.Exists() {
		return
	}
	source, destination := plan.Shown(r.Source.After), plan.Shown(r.Destination.After)
	requests := requestsPhrase(r.Source.After, r.Destination.After)
	expose := func(kind findingKind, subject, how, agree phrase.Phrase) {
		effect := how
		switch kind {
		case requestsMove:
			effect = phrase.Say("another host: {}", how)
		case encryptionEnds:
			effect = phrase.Say("no longer encrypted: {}", how)
		}
		b.expose(Finding{Address: r.Address, Categories: []category.Category{category.Granted}, kind: kind, subject: phrase.Say("{} ({})", subject, how), Effect: effect}, agree, r.Source.After, r.Destination.After)
	}
	third := domainPhrase(transitDomain(is).Text())
	isNew := !plan.IsUnset(transitDomain(is)) && plan.Differs(transitDomain(was), transitDomain(is))
	isEncrypted := is.At("body_encryption").Raw != nil
	if isNew {
		how := phrase.Say("through {}, which can read the requests", third)
		if isEncrypted {
			how = phrase.Say("through {}, which can read the requests but not their bodies", third)
		}
		expose(transitBegins, requests, how, phrase.Say("Agree that requests {} go {}", requests, how))
		b.agree(phrase.Say("Let requests {} through", requests), r.Transit.After)
	}
	if was.Exists() && !is.At("transit").Exists() && from.Changes(routeHost...) {
		how := from.Both(routeHost...).Phrase()
		if isEncrypted {
			how = phrase.Say("{}; their bodies are encrypted", how)
		}
		expose(requestsMove, requests, how, phrase.Say("Agree that requests {} go to another host: {}", requests, how))
	}
	var plain phrase.Phrase
	switch {
	case was.At("body_encryption").Raw == nil || isEncrypted:
		switch old, ports := was.At("endpoint", "ports"), is.At("endpoint", "ports"); {
		case hasTLS(was) == plan.No, !old.Exists(), !plan.Differs(old, ports):
		case hasTLS(is) == plan.No && !ports.IsSensitive():
			plain = phrase.Say("TLS of the gateway")
		case hasTLS(is) != plan.Yes && (len(ports.UnknownPaths()) > 0 || ports.IsSensitive()): // it is not said
			plain = phrase.Say("TLS of the gateway, unless the apply keeps it")
		}
	case is.At("body_encryption").IsUnknown():
		plain = phrase.Say("their bodies, unless the apply keeps it")
	case plan.IsUnset(transitDomain(is)):
		plain = phrase.Say("their bodies")
	default:
		plain = phrase.Say("their bodies, which {} can read", third)
	}
	if len(plain) > 0 {
		expose(encryptionEnds, requests, plain, phrase.Say("Agree that requests {} are no longer encrypted: {}", requests, plain))
	}
	isNone := is.At("authentication_type").Is(plan.Equals(noAuthentication))
	if isUnknown := is.At("authentication_type").IsUnknown(); (isNone == plan.Yes || isUnknown) && was.At("authentication_type").Raw != noAuthentication {
		how := phrase.Say("the route does not authenticate")
		if isUnknown {
			how = phrase.Say("the route may not authenticate: how is known after apply")
		}
		expose(anyoneActs, phrase.Say("{} towards {}", source, destination), how, phrase.Say("Agree that anyone may send requests to {} as {}: {}", destination, source, how))
	}
}

// noAuthentication is the authentication of what lets anyone in.
const noAuthentication = "None"

// hasTLS reports whether all ports of a route have TLS; one without ports may have it.
func hasTLS(v plan.Value) plan.Certainty {
	ports, all := v.At("endpoint", "ports"), plan.Maybe
	for i, key := range ports.Keys() {
		if has := ports.At(key, "is_tls").Is(plan.Equals(true)); i == 0 || has < all {
			all = has
		}
	}
	return all
}

// phrase says what happens to a route, and what of it no plan shows.
func (r Route) phrase() phrase.Phrase { return phrase.Join("; ", r.change(), r.removes) }

// change says what happens to a route.
func (r Route) change() phrase.Phrase {
	switch r.Action {
	case plan.Create:
		return phrase.Say("opens")
	case plan.Forget:
		return phrase.Say("stays, no longer managed")
	case plan.Delete, plan.Replace:
		text := phrase.Say("closes")
		if r.Action == plan.Replace {
			text = phrase.Say("closes and opens again")
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
