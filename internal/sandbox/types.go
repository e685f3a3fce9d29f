package sandbox

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/serving"
)

// ErrUnknown is returned by direct access to an id or name that does not exist.
var ErrUnknown = server.ErrUnknown

type (
	// Timing has the durations of the steps of a rollout.
	Timing = cluster.Timing
	// ServingSpec is what Kuscia stores of a serving.
	ServingSpec = serving.Spec
	// PartySpec is what Kuscia stores of a party.
	PartySpec = serving.PartySpec
)

// QuickTiming is for tests: a serving runs after about 400 ms.
func QuickTiming() Timing { return cluster.QuickTiming() }

// DemoTiming is for demonstrations: a serving runs after about 3 s.
func DemoTiming() Timing { return cluster.DemoTiming() }

// RealTiming has the durations that were measured on a real Kuscia.
func RealTiming() Timing { return cluster.RealTiming() }

// TimingByName returns the timing named quick, demo or real.
func TimingByName(name string) (Timing, error) { return cluster.TimingByName(name) }
