package review

import (
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
}

// findingKind is what a sentence says of a finding; the worst is first.
type findingKind int

const (
	domainRemoved findingKind = iota
	domainReplaced
	dataRemoved
	servingEnds
	servingInterrupted
	edgeInterrupted
	dataReplaced
	dataMoved
	sourceMoved
	grantBegins
	grantChanges
	grantEnds
	routeCloses
	routeOpens
	routeChanges
	credentialChanges
	servingRestarts
	edgeRestarts
	stepApproved
	releaseChanges
	trafficRouted
	codeChanges
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
	otherForgotten
	// Said in another part of the sentence, or in a note.
	programRuns
	checkFails
	objectDrifted
	changeDeferred
	valueUnknown
	providerWarns
)

// isChange reports whether a finding is something that the apply does.
func (k findingKind) isChange() bool { return k < checkFails }

// noun is how a sentence speaks of objects of one kind: of one or several with their names, or of
// a number of them.
type noun struct{ one, many, single, several phrase.Words }

var (
	aDomain     = noun{"the domain {}", "the domains {}", "{} domain", "{} domains"}
	someData    = noun{"the data {}", "the data {}", "{} description of data", "{} descriptions of data"}
	aServing    = noun{"the serving {}", "the servings {}", "{} serving", "{} servings"}
	anEdge      = noun{"the edge deployment {}", "the edge deployments {}", "{} edge deployment", "{} edge deployments"}
	aSource     = noun{"the data source {}", "the data sources {}", "{} data source", "{} data sources"}
	anAccess    = noun{"the access of {}", "the access of {}", "the access of {} grant", "the access of {} grants"}
	aRoute      = noun{"the route {}", "the routes {}", "{} route", "{} routes"}
	aCredential = noun{"a credential of {}", "credentials of {}", "{} credential", "{} credentials"}
	aStep       = noun{"the step {}", "the steps {}", "{} step", "{} steps"}
	aRelease    = noun{"the release {}", "the releases {}", "{} release", "{} releases"}
	aRouting    = noun{"the traffic of {}", "the traffic of {}", "the traffic of {} service", "the traffic of {} services"}
	anAppImage  = noun{"the app image {}", "the app images {}", "{} app image", "{} app images"}
	anObject    = noun{"the object {}", "the objects {}", "{} other object", "{} other objects"}
)

// clause is how a sentence speaks of findings of one kind: words with {} for the noun.
type clause struct {
	frame phrase.Words
	noun  noun
}

var clauses = map[findingKind]clause{
	domainRemoved:      {"removes {}", aDomain},
	domainReplaced:     {"replaces {}", aDomain},
	dataRemoved:        {"removes {}", someData},
	servingEnds:        {"ends {}", aServing},
	servingInterrupted: {"interrupts {}", aServing},
	edgeInterrupted:    {"interrupts {}", anEdge},
	dataReplaced:       {"replaces {}", someData},
	dataMoved:          {"changes what can be read of {}", someData},
	sourceMoved:        {"points {} elsewhere", aSource},
	grantBegins:        {"begins {}", anAccess},
	grantChanges:       {"changes {}", anAccess},
	grantEnds:          {"ends {}", anAccess},
	routeCloses:        {"closes {}", aRoute},
	routeOpens:         {"opens {}", aRoute},
	routeChanges:       {"changes {}", aRoute},
	credentialChanges:  {"changes {}", aCredential},
	servingRestarts:    {"restarts {} without an interruption", aServing},
	edgeRestarts:       {"restarts {}", anEdge},
	stepApproved:       {"approves {}", aStep},
	releaseChanges:     {"changes {}", aRelease},
	trafficRouted:      {"routes {} in another way", aRouting},
	codeChanges:        {"changes what {} runs", anAppImage},
	servingSteps:       {"restarts {} step by step", aServing},
	servingReplaced:    {"replaces {}, which did not start", aServing},
	servingScales:      {"scales {}", aServing},
	servingStarts:      {"starts {}", aServing},
	servingChanges:     {"changes settings of {}, without a restart", aServing},
	domainAdded:        {"adds {}", aDomain},
	otherRemoved:       {"removes {}", anObject},
	otherReplaced:      {"replaces {}", anObject},
	otherCreated:       {"creates {}", anObject},
	otherChanged:       {"changes {}", anObject},
	otherForgotten:     {"leaves {} in place, no longer managed", anObject},
}

// maxClauses is the number of kinds of which a sentence speaks.
const maxClauses = 7

// maxNamed is the number of objects up to which a sentence names them.
const maxNamed = 3

// headline is the sentence about the whole plan.
func (r *Report) headline() phrase.Phrase {
	subjects := map[findingKind][]phrase.Phrase{}
	for _, f := range r.Findings {
		subjects[f.kind] = append(subjects[f.kind], f.subject)
	}
	var said []phrase.Phrase
	left := 0
	for kind := range programRuns {
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
	if n := r.OtherProviders.total(); n > 0 && r.Audience == "" {
		said = append(said, phrase.Count(n, "changes {} resource of another provider", "changes {} resources of other providers"))
	}
	if n := r.OtherActions; n > 0 && r.Audience == "" {
		said = append(said, phrase.Count(n, "invokes {} action of another provider", "invokes {} actions of other providers"))
	}
	sentence := phrase.Say("This plan {}.", phrase.Clauses(said...))
	if r.Audience != "" {
		sentence = phrase.Say("For {}, this plan {}.", phrase.Show(r.Audience), phrase.Clauses(said...))
	}
	switch {
	case len(said) == 0 && len(r.Outputs) > 0 && r.Audience == "":
		sentence = phrase.Count(len(r.Outputs), "Nothing changes but {} output.", "Nothing changes but {} outputs.")
	case len(said) == 0 && r.Errored: // what it would change is not known
		return phrase.Say("The plan failed and cannot be applied.")
	case len(said) == 0 && r.onlyState && r.Audience == "":
		sentence = phrase.Say("Nothing changes but the state.")
	case len(said) == 0 && r.Audience != "":
		sentence = phrase.Say("Nothing changes for {}.", phrase.Show(r.Audience))
	case len(said) == 0:
		sentence = phrase.Say("Nothing changes.")
	}
	if r.Errored {
		return phrase.Say("The plan failed and cannot be applied; the following is incomplete. {}", sentence)
	}
	return sentence
}

func (c clause) about(subjects []phrase.Phrase) phrase.Phrase {
	named := len(subjects) <= maxNamed
	for _, subject := range subjects {
		named = named && len(subject) > 0
	}
	switch {
	case !named:
		return phrase.Say(c.frame, phrase.Count(len(subjects), c.noun.single, c.noun.several))
	case len(subjects) == 1:
		return phrase.Say(c.frame, phrase.Say(c.noun.one, subjects[0]))
	}
	return phrase.Say(c.frame, phrase.Say(c.noun.many, phrase.And(subjects...)))
}
