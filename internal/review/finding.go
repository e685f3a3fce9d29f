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
)

// isChange reports whether a finding is something that the apply does.
func (k findingKind) isChange() bool { return k < checkFails }

// clause is how a sentence speaks of findings of one kind.
type clause struct {
	verb, one, many phrase.Words
	after           phrase.Words // what follows the object
}

var clauses = map[findingKind]clause{
	domainRemoved:      {"removes", "domain", "domains", ""},
	domainReplaced:     {"replaces", "domain", "domains", ""},
	dataRemoved:        {"removes", "description of the data", "descriptions of the data", ""},
	servingEnds:        {"ends", "serving", "servings", ""},
	servingInterrupted: {"interrupts", "serving", "servings", ""},
	edgeInterrupted:    {"interrupts", "edge deployment", "edge deployments", ""},
	dataReplaced:       {"replaces", "description of the data", "descriptions of the data", ""},
	dataMoved:          {"points", "description of the data", "descriptions of the data", " elsewhere"},
	sourceMoved:        {"points", "data source", "data sources", " elsewhere"},
	grantBegins:        {"begins", "grant", "grants", ""},
	grantChanges:       {"changes", "grant", "grants", ""},
	grantEnds:          {"ends", "grant", "grants", ""},
	routeCloses:        {"closes", "route", "routes", ""},
	routeOpens:         {"opens", "route", "routes", ""},
	routeChanges:       {"changes", "route", "routes", ""},
	credentialChanges:  {"changes", "credential", "credentials", ""},
	servingRestarts:    {"restarts", "serving", "servings", " in place"},
	edgeRestarts:       {"restarts", "edge deployment", "edge deployments", ""},
	stepApproved:       {"approves", "step", "steps", ""},
	releaseChanges:     {"changes", "release", "releases", ""},
	trafficRouted:      {"routes", "traffic of", "traffic of", " in another way"},
	codeChanges:        {"changes", "program of the app image", "programs of app images", ""},
	servingChanges:     {"changes", "settings of the serving", "settings of servings", ", without a restart"},
	servingSteps:       {"restarts", "serving", "servings", " step by step"},
	servingReplaced:    {"replaces", "serving that did not start", "servings that did not start", ""},
	servingScales:      {"scales", "serving", "servings", ""},
	servingStarts:      {"starts", "serving", "servings", ""},
	domainAdded:        {"adds", "domain", "domains", ""},
	otherRemoved:       {"removes", "other object", "other objects", ""},
	otherReplaced:      {"replaces", "other object", "other objects", ""},
	otherCreated:       {"creates", "other object", "other objects", ""},
	otherChanged:       {"changes", "other object", "other objects", ""},
	otherForgotten:     {"leaves", "object", "objects", " in place, no longer managed"},
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
		said = append(said, phrase.Concat(phrase.Say("makes "), phrase.Count(left, "{} other change", "{} other changes")))
	}
	if n := r.OtherProviders.total(); n > 0 {
		said = append(said, phrase.Concat(phrase.Say("changes "), phrase.Count(n, "{} resource of another provider", "{} resources of other providers")))
	}
	if n := r.OtherActions; n > 0 {
		said = append(said, phrase.Concat(phrase.Say("invokes "), phrase.Count(n, "{} action of another provider", "{} actions of other providers")))
	}
	sentence := phrase.Concat(phrase.Say("This plan "), phrase.And(said...), phrase.Say("."))
	switch {
	case len(said) == 0 && len(r.Outputs) > 0:
		sentence = phrase.Concat(phrase.Say("Nothing changes but "), phrase.Count(len(r.Outputs), "{} output", "{} outputs"), phrase.Say("."))
	case len(said) == 0 && r.Errored: // what it would change is not known
		return phrase.Say("The plan failed and cannot be applied.")
	case len(said) == 0 && r.onlyState:
		sentence = phrase.Say("Nothing changes but the state.")
	case len(said) == 0:
		sentence = phrase.Say("Nothing changes.")
	}
	if r.Errored {
		return phrase.Concat(phrase.Say("The plan failed and cannot be applied; the following is incomplete. "), sentence)
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
		return phrase.Concat(phrase.Say(c.verb+" "), phrase.Count(len(subjects), "{} "+c.one, "{} "+c.many), phrase.Say(c.after))
	case len(subjects) == 1:
		return phrase.Concat(phrase.Say(c.verb+" the "+c.one+" "), subjects[0], phrase.Say(c.after))
	}
	return phrase.Concat(phrase.Say(c.verb+" the "+c.many+" "), phrase.And(subjects...), phrase.Say(c.after))
}
