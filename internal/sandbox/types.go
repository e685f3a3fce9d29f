package sandbox

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/engine"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/serving"
)

// ErrUnknown is returned by direct access to an id or name that does not exist.
var ErrUnknown = server.ErrUnknown

type (
	// Timing has the durations of the steps of a rollout.
	Timing = engine.Timing
	// ServingSpec is what Kuscia stores of a serving.
	ServingSpec = serving.Spec
	// PartySpec is what Kuscia stores of a party.
	PartySpec = serving.PartySpec
)

// QuickTiming is for tests: a serving runs after about 400 ms.
func QuickTiming() Timing { return engine.QuickTiming() }

// DemoTiming is for demonstrations: a serving runs after about 3 s.
func DemoTiming() Timing { return engine.DemoTiming() }

// RealTiming has the durations that were measured on a real Kuscia.
func RealTiming() Timing { return engine.RealTiming() }

// TimingByName returns the timing named quick, demo or real.
func TimingByName(name string) (Timing, error) { return engine.TimingByName(name) }
