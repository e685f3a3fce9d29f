package sandbox

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/engine"
)

// The protocols of Options.Protocol, as in kuscia.yaml.
const (
	ProtocolNOTLS = "NOTLS"
	ProtocolTLS   = "TLS"
	ProtocolMTLS  = "MTLS"
)

// DefaultVersion is the Kuscia version that the sandbox simulates by default.
const DefaultVersion = "v1.1.0b0"

// Options configure a sandbox. The zero value is a NOTLS server on a free
// loopback port with the domains alice and bob and quick timing.
type Options struct {
	// Protocol is NOTLS (default), TLS or MTLS.
	Protocol string
	// Listen is a loopback address with port; default 127.0.0.1:0.
	Listen string
	// Token is the API token; default a random one of 32 characters. A NOTLS
	// server does not check it, as the real one.
	Token string
	// CertsDir is where token, ca.crt, ca.key, kusciaapi-server.crt and
	// kusciaapi-server.key are written. Existing certificates and an existing
	// token are used again. Default: a temporary directory, removed by Close.
	CertsDir string
	// Version is the Kuscia version to play, at least v0.4; default
	// DefaultVersion.
	Version string
	// Domains exist at the start; nil means alice and bob.
	Domains []string
	// Timing is how long the controller's steps take; zero means Quick.
	Timing engine.Timing
	// StateFile keeps the objects over restarts when set.
	StateFile string
	// Autonomy is the domain id of a P2P (autonomy) node; "" is a master.
	Autonomy string
	// Lite is the domain id of a lite node. It shares the objects of Master,
	// whose domain has to exist, joins it when it starts, hands on what only a
	// master may do, and is the only one to see the data sources and the
	// configuration of its domain. Version, Timing, Domains, Seed, FrozenClock,
	// AdoptLeftovers and StateFile are the master's.
	Lite string
	// Master is the master of a lite node. It is closed after its nodes.
	Master *Sandbox
	// StaleConfig is the share of writes of the configuration that the node's
	// cache shows so late that clients see it: 0 is what was measured (0.07),
	// 1 every one, negative none.
	StaleConfig float64
	// Seed makes ports, random orders and faults by chance repeatable; 0 picks
	// one.
	Seed uint64
	// WriteWindow is the time between reading and writing in an update and a
	// create of a serving. Above zero, parallel writers get the conflicts of a
	// real server; at zero (default) every write is atomic.
	WriteWindow time.Duration
	// AdoptLeftovers lets the controller look at a new serving before it has
	// removed the Deployments of an earlier one of the same id: they are taken
	// over, removed all the same, and made again. Only servings whose parties
	// all have roles can get there; others are refused until they are gone.
	AdoptLeftovers bool
	// RecordLimit is how many requests are kept for Requests, newest first to
	// go; 0 means 20000, negative none. Counts are always complete.
	RecordLimit int
	// FrozenClock stops the sandbox's clock; only Advance moves it.
	FrozenClock bool
}

func (o Options) withDefaults() (Options, error) {
	if o.Protocol == "" {
		o.Protocol = ProtocolNOTLS
	}
	switch o.Protocol {
	case ProtocolNOTLS, ProtocolTLS, ProtocolMTLS:
	default:
		return o, fmt.Errorf("protocol %q is not one of %s, %s, %s", o.Protocol, ProtocolNOTLS, ProtocolTLS, ProtocolMTLS)
	}
	if (o.Lite == "") != (o.Master == nil) || o.Lite != "" && o.Autonomy != "" {
		return o, errors.New("a lite node has a Lite and a Master, and no Autonomy")
	}
	if o.Lite != "" && o.StateFile != "" {
		return o, errors.New("the objects of a lite node are in the StateFile of its master")
	}
	if o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	if o.Version == "" {
		o.Version = DefaultVersion
	}
	if o.Domains == nil {
		o.Domains = []string{"alice", "bob"}
	}
	if o.Autonomy != "" && !slices.Contains(o.Domains, o.Autonomy) {
		o.Domains = append(slices.Clone(o.Domains), o.Autonomy)
	}
	if o.Timing == (engine.Timing{}) {
		o.Timing = engine.QuickTiming()
	}
	if o.RecordLimit == 0 {
		o.RecordLimit = 20000
	}
	return o, nil
}
