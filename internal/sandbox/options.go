package sandbox

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// The values of Options.Protocol, as in kuscia.yaml.
const (
	ProtocolNOTLS = "NOTLS"
	ProtocolTLS   = "TLS"
	ProtocolMTLS  = "MTLS"
)

// DefaultVersion is the Kuscia version that the sandbox simulates by default.
const DefaultVersion = versions.Newest

// Options configure a sandbox. The zero value is a NOTLS server on a free
// loopback port with the domains alice and bob and quick timing.
type Options struct {
	// Protocol is NOTLS (default), TLS or MTLS.
	Protocol string
	// Listen is a loopback address with port; default 127.0.0.1:0.
	Listen string
	// Token is the API token; default a random one of 32 characters. As the
	// real one, a NOTLS server does not check it.
	Token string
	// CertsDir is the folder for token, ca.crt, ca.key, kusciaapi-server.crt
	// and kusciaapi-server.key. Existing certificates and an existing token are
	// reused. Default: a temporary directory, removed by Close.
	CertsDir string
	// Version is the simulated Kuscia version, at least v0.4; default
	// DefaultVersion.
	Version string
	// Domains are the initial domains; nil means alice and bob.
	Domains []string
	// Timing has the durations of the controller's steps; zero means Quick.
	Timing cluster.Timing
	// StateFile stores the objects across restarts; "" means no file.
	StateFile string
	// Autonomy is the domain id of a P2P (autonomy) node; "" means a master.
	Autonomy string
	// Lite is the domain id of a lite node. It shares the objects of Master. It joins its
	// domain on start if that exists, and otherwise with a deploy token (JoinWithToken);
	// once it has joined, it joins again when its domain is created again. It forwards what
	// only a master may do, and is the only node with the data sources and the configuration
	// of its domain. Version, Timing, Domains, Seed, FrozenClock, AdoptLeftovers and
	// StateFile are those of the master.
	Lite string
	// Master is the master of a lite node. Close it after its nodes.
	Master *Sandbox
	// API is an API server that has all objects, and runs the servings; nil means that
	// they are in memory.
	API objects.API
	// StaleConfig is the share of configuration writes that reach the node's
	// cache so late that clients notice: 0 means the measured share (0.07), 1
	// every write, negative none.
	StaleConfig float64
	// Seed makes ports, random orders and random faults repeatable; 0 means a
	// random seed.
	Seed uint64
	// WriteWindow is the time between reading and writing in an update and a
	// create of a serving. If it is positive, parallel writers get conflicts
	// like those of a real server; if zero (default), every write is atomic.
	WriteWindow time.Duration
	// AdoptLeftovers lets the controller reconcile a new serving before it has
	// removed the Deployments of an earlier one with the same id: they are
	// adopted, removed nevertheless, and created again. This is only possible
	// for servings whose parties all have roles; others are refused until the
	// Deployments are removed.
	AdoptLeftovers bool
	// RecordLimit is the number of requests kept for Requests; 0 means 20000,
	// negative none. Counts always include all requests.
	RecordLimit int
	// FrozenClock stops the sandbox's clock; only Advance changes it.
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
	if o.API != nil && (o.Lite != "" || o.Autonomy != "" || o.StateFile != "") {
		return o, errors.New("only a master without a StateFile has an API server")
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
	if o.Timing == (cluster.Timing{}) {
		o.Timing = cluster.QuickTiming()
	}
	if o.RecordLimit == 0 {
		o.RecordLimit = 20000
	}
	return o, nil
}
