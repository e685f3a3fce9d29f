package serving

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestPropertyUnknown: Terraform plans again once everything is known. What was
// known in the first plan must not change then, and an update must not become a
// replacement, except for the few values for which only the second plan can
// detect that no update can change them.
func TestPropertyUnknown(t *testing.T) {
	t.Parallel()
	checkPure(t, 4, func(t *rapid.T) {
		config := Configs().Draw(t, "config").Serving
		state := StateOf(config)
		edited := config
		if rapid.Bool().Draw(t, "edited") {
			edited = Edits(config).Draw(t, "edit").Serving
		}
		open := withUnknown(t, edited)
		if rapid.Bool().Draw(t, "other images") {
			state = InParties(state, func(parties []rules.Party) []rules.Party {
				for i := range parties {
					parties[i].Image = types.StringValue("img:before")
				}
				return parties
			})
		}
		private := createdPrivate(state)
		images := ImagesOf(PropertyImages()...)

		first, planned, _ := Classify(t, open, state, private, images)
		second, final, reasons := Classify(t, edited, state, private, images)
		if first == Replace {
			return // whatever is created then is new
		}
		if second == Replace && !knownTooLate(reasons) {
			t.Fatalf("an update becomes a replacement: %v", reasons)
		}
		// If everything turns out to be a difference in spelling, the prior
		// values stay, which the first plan could not know.
		respelled := final.Parties.Equal(state.Parties) && !edited.Parties.Equal(config.Parties)
		if second != Replace && !respelled {
			CheckPlannedAgain(t, planned, final)
		}
	})
}

func checkPure(t *testing.T, runs int, property func(*rapid.T)) {
	t.Helper()
	for i := range runs {
		t.Run(fmt.Sprintf("run %d", i), func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, property)
		})
	}
}

// createdPrivate is the private state with the stored containers after a create.
func createdPrivate(state rules.Serving) (private rules.Private) {
	parties := slices.Clone(state.Parties.Items)
	for _, p := range parties {
		if p.Resources.Spec().IsSet() {
			private = private.WithContainers(p.Key(), ContainersOf(p))
		}
	}
	return private
}

// knownTooLate reports whether all reasons are about values that may be unknown
// in the plan of an update.
func knownTooLate(reasons []definition.Replacement) bool {
	for _, reason := range reasons {
		if !strings.Contains(reason.Why, "is removed") && !strings.Contains(reason.Why, "is set to zero") && !strings.Contains(reason.Why, "\"unchanged\"") &&
			!strings.Contains(reason.Why, "cannot add any to another one") {
			return false
		}
	}
	return true
}

// withUnknown makes some values of a configuration unknown.
func withUnknown(t *rapid.T, m rules.Serving) rules.Serving {
	parties := slices.Clone(m.Parties.Items)
	for range rapid.IntRange(1, 2).Draw(t, "unknown values") {
		p := &parties[rapid.IntRange(0, len(parties)-1).Draw(t, "of party")]
		containers := slices.Sorted(maps.Keys(p.Resources.Named))
		if p.Resources.Common.State == attr.ValueStateKnown {
			containers = append(containers, "")
		}
		which := rapid.IntRange(0, 12).Draw(t, "unknown")
		if which >= 9 && len(containers) == 0 {
			which = 8
		}
		inContainer := func(edit func(*rules.ContainerResources)) {
			InContainer(rapid.SampledFrom(containers).Draw(t, "container"), edit)(p)
		}
		switch which {
		case 0:
			switch {
			case !m.ConfigIsWriteOnly():
				m.ServingInputConfig = types.StringUnknown()
			case rapid.Bool().Draw(t, "of the version"):
				m.ServingInputConfigVersion = types.Int64Unknown()
			default:
				m.ServingInputConfigWO = types.StringUnknown()
			}
		case 1:
			m.RedeployTriggers = types.MapUnknown(types.StringType)
		case 2:
			m.WaitForRollout = types.BoolUnknown()
		case 3:
			m.AffinityMode = types.StringUnknown()
		case 4:
			p.AppImage = types.StringUnknown()
		case 5:
			p.Replicas = types.Int32Unknown()
		case 6:
			p.Strategy = rules.Strategy{Unknown: true}
		case 7:
			if p.Strategy.Null {
				p.Strategy = rules.Strategy{Unknown: true}
			} else {
				p.Strategy.MaxSurge = types.StringUnknown()
			}
		case 8:
			p.Resources = UnknownResources
		case 9:
			inContainer(func(r *rules.ContainerResources) { r.MinCPU = types.StringUnknown() })
		case 10:
			inContainer(func(r *rules.ContainerResources) { r.MaxMemory = types.StringUnknown() })
		case 11:
			p.Resources.NamedUnknown, p.Resources.Named = true, map[string]rules.ContainerResources{}
		default:
			inContainer(func(r *rules.ContainerResources) { *r = rules.ContainerResources{State: attr.ValueStateUnknown} })
		}
	}
	m.Parties = rules.PartiesOf(parties...)
	return m
}
