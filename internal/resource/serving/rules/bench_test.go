package rules_test

import (
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// BenchmarkPlanUpdate plans a serving in which nothing has changed.
func BenchmarkPlanUpdate(b *testing.B) {
	config := TwoParties()
	state := StateOf(config)
	values := config.Value()
	for b.Loop() {
		prior := rules.Of(state.Value())
		planned, _ := rules.PlanUpdate(rules.Of(values), prior, TwoPartiesPrivate(), rules.KnownImages(AllImages))
		if !planned.Equal(prior) {
			b.Fatal("the plan changes something")
		}
	}
}

// BenchmarkRefresh refreshes a serving in which nothing has changed.
func BenchmarkRefresh(b *testing.B) {
	config := TwoParties()
	state, response := StateOf(config), ResponseTo(config)
	for b.Loop() {
		prior := rules.Of(state.Value())
		next, _ := rules.Refresh(prior, response, TwoPartiesPrivate(), rules.Sources{Cached: AllImages, Now: time.Now()})
		if !next.Equal(prior) {
			b.Fatal("the refresh changes something")
		}
	}
}
