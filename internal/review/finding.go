package review

import (
	"cmp"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/category"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
)

// Finding is one effect of a plan.
type Finding struct {
	Categories List[category.Category] `json:"categories"`
	Address    string                  `json:"address"`
	// Effect is a sentence, such as: replaced, because of "parties".
	Effect phrase.Phrase `json:"effect"`

	kind    findingKind
	subject phrase.Phrase
	// long is the subject with what a line of the verdict says of it, if that is more.
	long phrase.Phrase
	// frees is the object whose name becomes free, and takes the one that takes a name, if others may name it.
	frees, takes phrase.Phrase
}

// findingKind is what a sentence says of a finding; the worst is first.
type findingKind int

const (
	// More can be read, another program runs, or nobody controls it any longer.
	programRuns findingKind = iota
	programMayRun
	masterChanges
	anyoneActs
	keyChanges
	transitBegins
	requestsMove
	authorityChanges
	encryptionEnds
	grantBegins
	grantWidens
	grantMayWiden
	dataWidens
	dataMoved
	sourceMoved
	entryChanges
	entryMayMove
	codeChanges
	fieldsRemoved
	masterBegins
	routeOpens
	grantForgotten
	otherForgotten
	// Something ends or is interrupted.
	domainRemoved
	domainReplaced
	dataRemoved
	servingEnds
	edgeEnds
	servingInterrupted
	edgeInterrupted
	servingMayStop
	edgeMayStop
	dataReplaced
	grantAgain
	grantChanges
	grantEnds
	grantEndsOne
	routeCloses
	routeReplaced
	routeChanges
	sourceRemoved
	entryRemoved
	imageRemoved
	certificateChanges
	secretChanges
	nodesAuthenticate
	releaseEnds
	trafficRouted
	// The rest.
	servingJoined
	servingRestarts
	edgeRestarts
	stepApproved
	releaseChanges
	servingSteps
	servingReplaced
	servingScales
	servingStarts
	servingChanges
	domainAdded
	otherRemoved
	otherReplaced
	otherCreated
	otherChanged
	otherImported
	otherMoved
	stateChanges
	otherProviderReads
	otherProviderChanges
	// Said before the sentence, or in a note.
	checkFails
	objectDrifted
	changeDeferred
	valueUnknown
	providerWarns
	pluginRuns
)

// isChange reports whether a finding is something that the apply does with an object.
func (k findingKind) isChange() bool { return k < checkFails && !k.isProgram() }

// isProgram reports whether a finding is a program of others that runs, or may run.
func (k findingKind) isProgram() bool { return k == programRuns || k == programMayRun }

// noun is how a sentence speaks of objects of one kind: of one or several with their names, or of
// a number of them.
type noun struct{ one, many, single, several phrase.Words }

var (
	aDomain         = noun{"the domain {}", "the domains {}", "{} domain", "{} domains"}
	aSender         = noun{"the domain {}", "the domains {}", "{} domain or source of a route", "{} domains or sources of routes"}
	someData        = noun{"the data {}", "the data {}", "{} description of data", "{} descriptions of data"}
	aServing        = noun{"the serving {}", "the servings {}", "{} serving", "{} servings"}
	newParties      = noun{"{}", "{}", "parties to {} serving", "parties to {} servings"}
	anEdge          = noun{"the edge deployment {}", "the edge deployments {}", "{} edge deployment", "{} edge deployments"}
	aSource         = noun{"the data source {}", "the data sources {}", "{} data source", "{} data sources"}
	anAccess        = noun{"the access of {}", "the access of {}", "the access of {} grant", "the access of {} grants"}
	aReader         = noun{"{}", "{}", "{} reader", "{} readers"}
	aRoute          = noun{"the route {}", "the routes {}", "{} route", "{} routes"}
	aSecret         = noun{"the secret {}", "the secrets {}", "{} secret", "{} secrets"}
	aCertificate    = noun{"the certificate {}", "the certificates {}", "{} certificate", "{} certificates"}
	aStep           = noun{"the step {}", "the steps {}", "{} step", "{} steps"}
	aRelease        = noun{"the step-by-step release of {}", "the step-by-step releases of {}", "{} step-by-step release", "{} step-by-step releases"}
	aRouting        = noun{"the routing of requests of {}", "the routing of requests of {}", "the routing of requests of {} service", "the routing of requests of {} services"}
	aProgram        = noun{"the program of {}", "the programs of {}", "{} program", "{} programs"}
	aRemovedProgram = noun{"a program of a removed block for {}", "programs of removed blocks for {}", "a program of the removed block of {} resource", "programs of the removed blocks of {} resources"}
	anEntry         = noun{"the entry {}", "the entries {}", "{} entry", "{} entries"}
	anAppImage      = noun{"the app image {}", "the app images {}", "{} app image", "{} app images"}
	aForeign        = noun{"{} of another provider", "{} of other providers", "{} resource of another provider", "{} resources of other providers"}
	aForeignRead    = noun{"{} of another provider", "{} of other providers", "{} data source of another provider", "{} data sources of other providers"}
	anObject        = noun{"{}", "{}", "{} other object", "{} other objects"}
)

// clause is how a sentence speaks of findings of one kind: words with {} for the noun.
type clause struct {
	frame phrase.Words
	noun  noun
}

var clauses = map[findingKind]clause{
	programRuns:          {"lets {} do anything", aProgram},
	programMayRun:        {"may run {}", aRemovedProgram},
	masterChanges:        {"puts another master over {}", aDomain},
	anyoneActs:           {"lets anyone act as {}", aSender},
	keyChanges:           {"lets the holder of another key act as {}", aDomain},
	transitBegins:        {"lets a third domain see the requests of {}", aRoute},
	requestsMove:         {"sends to another host the requests of {}", aRoute},
	authorityChanges:     {"lets another CA say who gets the requests of {}", aRoute},
	encryptionEnds:       {"ends the encryption of {}", aRoute},
	grantBegins:          {"begins {}", anAccess},
	grantWidens:          {"widens {}", anAccess},
	grantMayWiden:        {"may widen {}", anAccess},
	dataWidens:           {"shows more of {}", someData},
	dataMoved:            {"changes what can be read of {}", someData},
	sourceMoved:          {"reads {} from another place", aSource},
	entryChanges:         {"changes {} of a data source", anEntry},
	entryMayMove:         {"changes {} (which data sources of other configurations may use)", anEntry},
	codeChanges:          {"changes what {} runs", anAppImage},
	fieldsRemoved:        {"may remove fields of {}", anObject},
	masterBegins:         {"adds {}", aDomain},
	routeOpens:           {"opens {}", aRoute},
	grantForgotten:       {"gives up control of {}", anAccess},
	otherForgotten:       {"gives up control of {}", anObject},
	domainRemoved:        {"removes {}", aDomain},
	domainReplaced:       {"replaces {}", aDomain},
	dataRemoved:          {"removes {} (which ends all grants of it)", someData},
	servingEnds:          {"ends {}", aServing},
	servingInterrupted:   {"interrupts {}", aServing},
	edgeEnds:             {"ends {}", anEdge},
	edgeInterrupted:      {"interrupts {}", anEdge},
	servingMayStop:       {"may interrupt {}", aServing},
	edgeMayStop:          {"may interrupt {}", anEdge},
	dataReplaced:         {"replaces {} (which ends all grants of it)", someData},
	grantAgain:           {"interrupts {} (grants are deleted and created again)", anAccess},
	grantChanges:         {"changes {}", anAccess},
	grantEnds:            {"ends {} (as far as this plan knows)", anAccess},
	grantEndsOne:         {"ends one of several grants for {}", aReader},
	routeCloses:          {"closes {}", aRoute},
	routeReplaced:        {"replaces {} (requests fail in between)", aRoute},
	routeChanges:         {"changes {}", aRoute},
	sourceRemoved:        {"removes {} (whose data can no longer be read)", aSource},
	entryRemoved:         {"removes {} of a data source (whose data can no longer be read)", anEntry},
	imageRemoved:         {"removes {}", anAppImage},
	certificateChanges:   {"changes {}", aCertificate},
	secretChanges:        {"changes {}", aSecret},
	nodesAuthenticate:    {"changes how nodes authenticate: those of {}", aDomain},
	releaseEnds:          {"turns off {}", aRelease},
	trafficRouted:        {"changes {}", aRouting},
	servingJoined:        {"adds {}", newParties},
	servingRestarts:      {"restarts {} without an interruption", aServing},
	edgeRestarts:         {"restarts {}", anEdge},
	stepApproved:         {"approves {}", aStep},
	releaseChanges:       {"changes {}", aRelease},
	servingSteps:         {"restarts {} step by step", aServing},
	servingReplaced:      {"replaces {}, which did not start", aServing},
	servingScales:        {"scales {}", aServing},
	servingStarts:        {"starts {}", aServing},
	servingChanges:       {"changes settings of {}, without a restart", aServing},
	domainAdded:          {"adds {}", aDomain},
	otherRemoved:         {"removes {}", anObject},
	otherReplaced:        {"replaces {}", anObject},
	otherCreated:         {"creates {}", anObject},
	otherChanged:         {"changes {}", anObject},
	otherImported:        {"imports {} as it is", anObject},
	otherMoved:           {"renames {} in the state", anObject},
	stateChanges:         {"changes only the state of {}", anObject},
	otherProviderReads:   {"reads {} in the apply (which may do anything)", aForeignRead},
	otherProviderChanges: {"changes {}", aForeign},
}

// maxClauses is the number of kinds of which a sentence speaks.
const maxClauses = 7

// maxNamed is the number of objects up to which a sentence names them.
const maxNamed = 3

// headline is the sentence about the whole plan, after what is dangerous beside it.
func (r *Report) headline() phrase.Phrase {
	said := clausesOf(r.Findings)
	beside := r.beside()
	var sentence phrase.Phrase
	switch {
	case len(said) > 0 && r.Audience != "":
		sentence = phrase.Say("For {}, this plan {}.", phrase.Show(r.Audience), phrase.Clauses(said...))
	case len(said) > 0:
		sentence = phrase.Say("This plan {}.", phrase.Clauses(said...))
	case r.Errored && r.Audience != "": // what it would change is not known
		return phrase.Say("The plan failed and cannot be applied: do not approve it.")
	case r.Audience != "" && (len(beside) > 0 || r.isPart):
		sentence = phrase.Say("The plan itself changes nothing for {}.", phrase.Show(r.Audience))
	case r.Audience != "":
		sentence = phrase.Say("Nothing changes for {}.", phrase.Show(r.Audience))
	case len(r.Outputs) > 0:
		sentence = phrase.Count(len(r.Outputs), "Nothing changes but {} output.", "Nothing changes but {} outputs.")
	case r.Errored: // what it would change is not known
		return phrase.Say("The plan failed and cannot be applied: do not approve it.")
	case r.onlyState:
		sentence = phrase.Say("Nothing changes but the state.")
	case len(beside) > 0:
		sentence = phrase.Say("The plan itself changes nothing.")
	default:
		sentence = phrase.Say("Nothing changes.")
	}
	sentence = phrase.Join(" ", append(beside, sentence)...)
	if r.Errored {
		return phrase.Say("The plan failed and cannot be applied: do not approve it. The following is incomplete. {}", sentence)
	}
	return sentence
}

// clausesOf are the clauses of a sentence about findings, the worst first.
func clausesOf(findings []Finding) []phrase.Phrase {
	subjects := map[findingKind][]phrase.Phrase{}
	for _, f := range findings {
		subjects[f.kind] = append(subjects[f.kind], f.subject)
	}
	var said []phrase.Phrase
	left := 0
	for kind := range checkFails {
		switch {
		case len(subjects[kind]) == 0:
		case len(said) < maxClauses:
			said = append(said, clauses[kind].about(subjects[kind]))
		default:
			left += len(subjects[kind])
		}
	}
	if left > 0 {
		said = append(said, phrase.Count(left, "makes {} other change", "makes {} other changes"))
	}
	return said
}

// dangerous are the categories of which the headline speaks also where others have made the change.
var dangerous = []category.Category{category.Interrupted, category.Destroy, category.Granted, category.Revoked, category.Code}

// dangers are the dangerous changes of others, beside those of access, the worst first.
func (r *Report) dangers() []Finding {
	if r.outside == nil {
		return nil
	}
	ofAccess := map[string]bool{}
	for _, a := range r.DriftAccess {
		ofAccess[a.Address] = true
	}
	all := only(r.outside.Findings, func(f Finding) bool {
		return !ofAccess[f.Address] && slices.ContainsFunc(f.Categories, func(c category.Category) bool { return slices.Contains(dangerous, c) })
	})
	slices.SortStableFunc(all, func(x, y Finding) int { return cmp.Compare(x.kind, y.kind) })
	return all
}

// beside is what is dangerous beside the plan: access and objects that others have changed, what is
// referred to and does not exist, and what a later plan does.
func (r *Report) beside() []phrase.Phrase {
	var all []phrase.Phrase
	var moved []phrase.Phrase
	for _, a := range r.DriftAccess {
		reader := readerPhrase(a.Reader)
		if a.Reader == "" {
			reader = phrase.Say("whoever has a grant that this plan does not know")
		}
		moved = append(moved, phrase.Say("{} {} ({})", reader, phrase.Say(ways[wayIndex(a.Way)].table), a.subject))
	}
	dangers := r.dangers()
	if len(moved) > 0 {
		all = append(all, phrase.Say("Access has changed outside of this plan: {}.", phrase.Join(", ", phrase.First(moved, maxNamed)...)))
	}
	if len(dangers) > 0 {
		all = append(all, phrase.Say("Outside of this plan, somebody {}.", phrase.Clauses(clausesOf(dangers)...)))
	}
	isTouched := func(address string) bool { return slices.Contains(r.touched, address) }
	switch n := len(r.Drift); {
	case len(all) > 0:
		if !slices.ContainsFunc(r.DriftAccess, func(a Access) bool { return isTouched(a.Address) }) && !slices.ContainsFunc(dangers, func(f Finding) bool { return isTouched(f.Address) }) {
			all = append(all, phrase.Say("The plan does not undo it."))
		}
	case n > 0 && !r.Changes:
		all = append(all, phrase.Count(n, "{} object was changed outside of this plan.", "{} objects were changed outside of this plan."))
	}
	if n := len(only(r.Findings, func(f Finding) bool { return f.kind == pluginRuns })); n > 0 && !r.Changes {
		all = append(all, phrase.Count(n, "{} provider configuration has run a program to log in.", "{} provider configurations have run programs to log in."))
	}
	if n := r.refusedUnless; n > 0 {
		all = append(all, phrase.Count(n, "The apply is refused unless {} object exists by then that does not exist now.", "The apply is refused unless {} objects exist by then that do not exist now."))
	}
	if n := len(r.Checks); n > 0 {
		all = append(all, phrase.Count(n, "{} check fails.", "{} checks fail."))
	}
	var later []phrase.Phrase
	for _, o := range r.Deferred {
		name := o.name()
		if o.program {
			name = phrase.Say("{}, a program that may do anything", name)
		}
		later = append(later, name)
	}
	if len(later) > 0 {
		all = append(all, phrase.Say("Left for a later plan, and not reviewed here: {}.", phrase.Join(", ", phrase.First(later, maxNamed)...)))
	}
	return all
}

func (c clause) about(subjects []phrase.Phrase) phrase.Phrase {
	var names []phrase.Phrase // each once: several grants may give the same
	known := map[string]bool{}
	for _, subject := range subjects {
		if text := subject.Plain(phrase.English); !known[text] {
			names, known[text] = append(names, subject), true
		}
	}
	switch {
	case len(names) > maxNamed || known[""]:
		return phrase.Say(c.frame, phrase.Count(len(subjects), c.noun.single, c.noun.several))
	case len(names) == 1:
		return phrase.Say(c.frame, phrase.Say(c.noun.one, names[0]))
	}
	return phrase.Say(c.frame, phrase.Say(c.noun.many, phrase.And(names...)))
}

// Gate refuses plans.
type Gate struct {
	// FailOn are the categories that it refuses.
	FailOn []category.Category
	// Allow are addresses of objects to which anything may happen.
	Allow []string
}

// Refusals are the findings that a gate refuses.
func (g Gate) Refusals(r *Report) []Finding {
	var refused []Finding
	for _, f := range r.Findings {
		if slices.ContainsFunc(f.Categories, func(c category.Category) bool { return slices.Contains(g.FailOn, c) }) && !slices.Contains(g.Allow, f.Address) {
			refused = append(refused, f)
		}
	}
	if slices.Contains(g.FailOn, category.Changed) && len(refused) == 0 && r.changesBeside(g.Allow) {
		refused = append(refused, Finding{Categories: []category.Category{category.Changed}, Effect: r.Headline})
	}
	return refused
}

// text is the finding in one line.
func (f Finding) text(language *phrase.Language) string {
	line := category.Join(f.Categories) + ": "
	if f.Address != "" {
		line += phrase.Show(f.Address).Write(language, phrase.Text) + ": "
	}
	return line + f.Effect.Plain(language)
}
