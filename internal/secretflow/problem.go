package secretflow

import (
	"cmp"
	"slices"
)

// Place is where a problem is.
type Place int

// The places of problems, with what the path of a problem there is.
const (
	// InText is the configuration text of the serving: a path of JSON keys.
	InText Place = iota
	// InImage is the app image of the parties: a path of its attributes.
	InImage
	// InStore is the configuration of the parties' domains: a key.
	InStore
	// InParties are the parties of the serving.
	InParties
)

// Stage is a stage of the start. They run in this order.
type Stage int

// The stages of a start. The first three fail before the application runs.
const (
	StageExec Stage = iota
	StageRender
	StageCommand
	StageFlags
	StageParse
	StageChannels
	StageModel
	StageFeatures
)

// Answer is how the application ends.
type Answer struct {
	// Versions are those that say so.
	Versions Versions
	Stage    Stage
	// Code is that of the application (apis/error_code.proto), or -1 of an error without one.
	Code int
	// Text is the message without the place in the source and, where versions differ or quote
	// a whole file, its beginning.
	Text string
	// Shown is Text without a value of the configuration text, which may be a secret; "" if Text
	// has none.
	Shown string
	// order is the order within a stage.
	order int
}

// Problem is a reason for which the containers of some parties do not start.
type Problem struct {
	// Parties are the domains of these parties, in order.
	Parties []string
	Place   Place
	// AppImage is the name of the app image of a problem in one.
	AppImage string
	// Path is the path to the problem in its place; "" for all of it.
	Path string
	// What is a sentence, Allowed another one about what would start.
	What, Allowed string
	// Quote is what What is about, from the configuration text, as it is shown; "" if nothing is to
	// be shown, as of what may be a secret.
	Quote string
	// Named is Path without what only the text has: unknown names at its end, and keys of maps,
	// for which it has stars. The first of these is for Part, a key of partyConfigs.
	Named, Part string
	// Answers are what the application says, by version.
	Answers []Answer
	// unread is what What becomes for a version that was not read, which may have what is named;
	// "" for all else.
	unread string
}

// ofUnread returns a problem as it is for a version after those that were read, which is that of
// the newest one.
func (p Problem) ofUnread() Problem {
	if p.unread == "" {
		return p
	}
	p.What = p.unread
	p.Answers = slices.Clone(p.Answers)
	for i := range p.Answers {
		p.Answers[i].Versions &= since(afterNewest)
	}
	return p
}

// noneHas begins what is said of a name that a later version may have.
const noneHas = "No version up to 0.9 and the main branch of August 2025 has "

// Versions returns the versions that do not start.
func (p Problem) Versions() (all Versions) {
	for _, a := range p.Answers {
		all |= a.Versions
	}
	return all
}

// first returns the answer of the first stage for a version.
func (p Problem) first(version Versions) (Answer, bool) {
	for _, a := range p.Answers {
		if a.Versions.has(version) {
			return a, true
		}
	}
	return Answer{}, false
}

// Says returns what the application of an image says first. ok is false if it starts.
func Says(problems []Problem, image *Image) (first Answer, ok bool) {
	version, known := ofTag(image.Tag)
	if !known {
		version = newestRelease
	}
	for _, p := range problems {
		if answer, is := p.first(version); is && (!ok || answer.before(first, version)) {
			first, ok = answer, true
		}
	}
	return first, ok
}

// before reports whether an answer comes before another one. Until 0.6 the model is loaded
// before the channels to the peers.
func (a Answer) before(other Answer, version Versions) bool {
	stage := func(s Stage) int {
		if s == StageChannels && before(7).has(version) {
			return int(StageModel)*2 + 1
		}
		return int(s) * 2
	}
	return cmp.Or(stage(a.Stage)-stage(other.Stage), a.order-other.order) < 0
}

// problems collects problems, each cause once.
type problems struct {
	all []Problem
}

// maxProblems bounds the problems of one text, and of a serving.
const maxProblems = 20

func (ps *problems) isFull() bool { return len(ps.all) >= maxProblems }

func (ps *problems) add(p Problem) {
	if !ps.isFull() {
		ps.all = append(ps.all, p)
	}
}

// addOnce adds a problem whose cause may be there.
func (ps *problems) addOnce(p Problem) {
	if !ps.isFull() && !slices.ContainsFunc(ps.all, p.sameCause) {
		ps.add(p)
	}
}

// cause identifies the cause of a problem.
type cause struct {
	place                       Place
	appImage, path, what, quote string
}

func (p Problem) cause() cause { return cause{p.Place, p.AppImage, p.Path, p.What, p.Quote} }

// sameCause reports whether two problems have the same cause.
func (p Problem) sameCause(other Problem) bool { return p.cause() == other.cause() }

// causes are the problems of all parties, each cause once.
type causes struct {
	all []Problem
	// at are the indexes of the causes.
	at map[cause]int
	// told are the parties of each.
	told map[toldParty]bool
}

// toldParty is a party of the problem with an index.
type toldParty struct {
	index  int
	domain string
}

// merge adds problems of a party to those that other parties have too.
func (cs *causes) merge(domain string, found []Problem) {
	for _, p := range found {
		i, is := cs.at[p.cause()]
		if !is {
			i = len(cs.all)
			cs.at[p.cause()] = i
			cs.all = append(cs.all, p)
		}
		if told := (toldParty{i, domain}); !cs.told[told] {
			cs.told[told] = true
			cs.all[i].Parties = append(cs.all[i].Parties, domain)
		}
	}
}

// first returns as many problems as are of use, certain ones before others, by place.
func (cs *causes) first() []Problem {
	all := cs.all
	if len(all) > maxProblems {
		slices.SortStableFunc(all, func(a, b Problem) int { return cmp.Compare(b.Versions(), a.Versions()) })
		all = slices.Clone(all[:maxProblems])
	}
	slices.SortStableFunc(all, func(a, b Problem) int { return cmp.Compare(a.Place, b.Place) })
	return all
}
