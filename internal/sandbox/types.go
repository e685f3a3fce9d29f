package sandbox

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/engine"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/serving"
)

// ErrUnknown is returned by direct access to an id or name that does not exist.
var ErrUnknown = server.ErrUnknown

type (
	// Timing is how long the steps of a rollout take.
	Timing = engine.Timing
	// ServingSpec is what Kuscia stores of a serving.
	ServingSpec = serving.Spec
	// PartySpec is what Kuscia stores of a party.
	PartySpec = serving.PartySpec
)

// QuickTiming is for tests: a serving runs after some 400 ms.
func QuickTiming() Timing { return engine.QuickTiming() }

// DemoTiming is for people who watch: a serving runs after some 3 s.
func DemoTiming() Timing { return engine.DemoTiming() }

// RealTiming has the times that were measured on a real Kuscia.
func RealTiming() Timing { return engine.RealTiming() }

// TimingByName gives the timing called quick, demo or real.
func TimingByName(name string) (Timing, error) { return engine.TimingByName(name) }
