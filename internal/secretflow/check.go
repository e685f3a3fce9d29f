package secretflow

import "slices"

// The order of the parser's checks, within StageParse. The text itself is in between.
const (
	orderFile = iota - 100
	orderServingID
	orderClusterDef
	orderAddresses
	orderParties
	orderInputConfig
)

const (
	orderOwnPart = iota + 100
	orderPredictors
	orderAllocatedPorts
	orderCommunication
	orderService
	orderModelMeta
	orderFeatureSource
)

// Runtime is the container runtime of the nodes.
type Runtime string

// The container runtimes of Kuscia that differ: with runk, the agent expands no references to
// variables in the text.
const (
	UnknownRuntime Runtime = ""
	RunC           Runtime = "runc"
	RunP           Runtime = "runp"
	RunK           Runtime = "runk"
)

// Serving is what is known of a serving.
type Serving struct {
	// ID is its name.
	ID string
	// Text is the configuration text; nil if it is not known.
	Text *string
	// Parties are the known parties; Incomplete is set if there are others.
	Parties    []Party
	Incomplete bool
	Runtime    Runtime
	// NoVerbatim and NoStore are set for a Kuscia before v0.11 and v0.12, see configtemplate.
	NoVerbatim, NoStore bool
}

// Party is a party of a serving.
type Party struct {
	Domain, Role string
	// Image is its part of the app image; nil if it is not known.
	Image *Image
	// Store returns an entry of the configuration of its domain. nil: not known.
	Store func(key string) (value string, known bool)
}

// Check returns why parties of a serving would not start, each cause once, as far as it is
// certain: what is not known is not judged. It returns nothing for a serving of which no party is
// known to be SecretFlow-Serving.
//
// A problem that not every version has is returned for parties whose tag names such a version.
// There are at most 20.
func Check(s Serving) []Problem {
	known := newRead(&s)
	if !slices.ContainsFunc(s.Parties, func(p Party) bool { return p.Image != nil && known.start(p.Image).is }) {
		return nil
	}
	found := causes{at: map[cause]int{}, told: map[toldParty]bool{}}
	for n := range s.Parties {
		found.merge(s.Parties[n].Domain, s.ofParty(n, known))
	}
	return found.first()
}

// ofParty returns the problems of a party.
func (s *Serving) ofParty(n int, known *read) []Problem {
	p := &s.Parties[n]
	if p.Image != nil && !known.start(p.Image).is {
		return nil // another application
	}
	c := partyChecker{Serving: s, read: known, party: p}
	return c.check()
}
