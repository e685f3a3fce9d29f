package serving_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// TestAccRandomSequences applies random configurations and random edits of them.
// After every apply the plan is empty (the test framework checks it, with and
// without refresh) and Kuscia has what is configured. A failing sequence runs
// again with KUSCIA_TEST_SEED set to its number.
func TestAccRandomSequences(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	t.Parallel()
	seeds, edits := sequenceSeeds(t)
	for _, seed := range seeds {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Parallel()
			e := acctest.New(t)
			w := newUniqueNames(t, e)
			drawn := servingtest.Configs().Example(int(seed))
			steps := []resource.TestStep{w.step(t, e, drawn.Serving)}
			for i := range edits {
				edit := servingtest.Edits(drawn.Serving)
				if i%3 == 2 {
					edit = servingtest.Respellings(drawn.Serving)
				}
				drawn = edit.Example(int(seed) + i)
				steps = append(steps, w.step(t, e, drawn.Serving))
			}
			resource.Test(t, resource.TestCase{
				ProtoV6ProviderFactories: e.ProtoV6ProviderFactories(),
				CheckDestroy:             e.CheckServingDestroyed(w.id),
				Steps:                    steps,
			})
		})
	}
}

func sequenceSeeds(t *testing.T) (seeds []uint64, edits int) {
	t.Helper()
	if text := os.Getenv("KUSCIA_TEST_SEED"); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatalf("KUSCIA_TEST_SEED: %v", err)
		}
		return []uint64{seed}, 4
	}
	count, edits := 6, 3
	if acctest.Long() {
		count, edits = 100, 4 // with each CLI
	}
	first := rand.Uint64N(1_000_000)
	for i := range count {
		seeds = append(seeds, first+uint64(i))
	}
	return seeds, edits
}

// uniqueNames gives drawn configurations unique names, so that several of them
// can be in one Kuscia at the same time.
type uniqueNames struct {
	id, prefix string
	// images are the app images of the generator by their name there.
	images map[string]*kuscia.AppImage
	// canHide is set if the CLI supports the write-only form.
	canHide bool
}

func newUniqueNames(t *testing.T, e *acctest.Env) *uniqueNames {
	w := &uniqueNames{id: e.Name("rnd"), prefix: e.Name("pre"), images: map[string]*kuscia.AppImage{}, canHide: acctest.HasWriteOnly(t)}
	for _, image := range servingtest.PropertyImages() {
		drawn := image.Name
		image.Name = e.Name(drawn)
		w.images[drawn] = image
	}
	return w
}

// settled is a drawn configuration with the unique names, with a wait for
// its rollout.
func (w *uniqueNames) settled(m rules.Serving) rules.Serving {
	m.ServingID, m.WaitForRollout = types.StringValue(w.id), types.BoolNull()
	if m.ConfigIsWriteOnly() && !w.canHide {
		m = servingtest.WithPlainConfig(m, types.StringValue(m.ServingInputConfigWO.ValueString()))
	}
	return servingtest.InParties(m, func(parties []rules.Party) []rules.Party {
		for i := range parties {
			if prefix := parties[i].ServiceNamePrefix.ValueString(); prefix != "" {
				parties[i].ServiceNamePrefix = types.StringValue(w.prefix + "-" + prefix)
			}
		}
		return parties
	})
}

func (w *uniqueNames) step(t *testing.T, e *acctest.Env, drawn rules.Serving) resource.TestStep {
	t.Helper()
	m := w.settled(drawn)
	return resource.TestStep{Config: e.ProviderConfig() + w.hcl(t, m), Check: w.matches(e, m)}
}

func (w *uniqueNames) hcl(t *testing.T, m rules.Serving) string {
	t.Helper()
	text := ""
	for drawn, image := range w.images {
		attributes, err := acctest.AttributesOf(image)
		if err != nil {
			t.Fatal(err)
		}
		if attributes["image"] == nil {
			attributes["image"] = map[string]any{"name": "example/app", "tag": "1"}
		}
		text += acctest.Block("kuscia_app_image", drawn, attributes)
	}
	attributes := map[string]any{}
	for _, pair := range servingtest.AttributePairs(m, m) {
		if !slices.Contains([]string{"id", "rollout_complete", "create_time", "endpoints", "parties"}, pair.Name) {
			attributes[pair.Name] = expression(pair.A)
		}
	}
	parties, _ := expression(definition.FieldsOf(m.Value())["parties"]).(map[string]any)
	for _, value := range parties {
		party, _ := value.(map[string]any)
		party["app_image"] = acctest.Reference(fmt.Sprintf("kuscia_app_image.%v.name", party["app_image"]))
	}
	attributes["parties"] = parties
	return text + acctest.Block("kuscia_serving", "s", attributes)
}

// expression is a known value as a Go value.
func expression(value definition.Value) any {
	switch kind := value.Type(); {
	case value.IsNull():
		return nil
	case kind.Is(tftypes.Bool):
		return definition.BoolOf(value)
	case kind.Is(tftypes.String):
		return definition.StringOf(value)
	case kind.Is(tftypes.Number):
		number, _ := definition.NumberOf(value)
		return acctest.Reference(strconv.FormatInt(number, 10))
	}
	object := map[string]any{}
	for name, field := range definition.FieldsOf(value) {
		object[name] = expression(field)
	}
	return object
}

// matches compares the serving in Kuscia with the configuration.
func (w *uniqueNames) matches(e *acctest.Env, m rules.Serving) resource.TestCheckFunc {
	return func(*terraform.State) error {
		response, err := e.API.QueryServing(context.Background(), w.id)
		if err != nil {
			return err
		}
		config := rules.ConfigText(m).ValueString()
		if response.Initiator != m.Initiator.ValueString() || !tfvalue.ConfigTextEqual(response.ServingInputConfig, config) || len(response.Parties) != len(m.Parties.Items) {
			return fmt.Errorf("Kuscia has initiator %q, config %q and %d parties", response.Initiator, response.ServingInputConfig, len(response.Parties))
		}
		for _, party := range m.Parties.Items {
			if err := w.partyMatches(response, party); err != nil {
				return err
			}
		}
		if response.Status == nil || response.Status.State != kuscia.StateAvailable {
			return fmt.Errorf("the serving does not run: %+v", response.Status)
		}
		return nil
	}
}

func (w *uniqueNames) partyMatches(response *kuscia.Serving, party rules.Party) error {
	domain, role := party.Key().DomainID, party.Role.ValueString()
	i := slices.IndexFunc(response.Parties, func(o kuscia.ServingParty) bool { return o.DomainID == domain && o.Role == role })
	if i < 0 {
		return fmt.Errorf("party %s/%s is missing", domain, role)
	}
	got := response.Parties[i]
	replicas := max(party.Replicas.ValueInt32(), 1)
	if got.AppImage != w.images[party.AppImage.ValueString()].Name || got.Replicas == nil || *got.Replicas != replicas || got.ServiceNamePrefix != party.ServiceNamePrefix.ValueString() {
		return fmt.Errorf("party %s/%s is %+v", domain, role, got)
	}
	if err := strategyMatches(got.UpdateStrategy, party); err != nil {
		return fmt.Errorf("party %s/%s: %w", domain, role, err)
	}
	for _, r := range got.Resources {
		if !party.Resources.Spec().IsSet() || !slices.Contains(servingtest.ContainersOf(party), r.ContainerName) {
			continue
		}
		for field, value := range map[string]string{"min_cpu": r.MinCPU, "max_cpu": r.MaxCPU, "min_memory": r.MinMemory, "max_memory": r.MaxMemory} {
			if desired := amountFor(party, r.ContainerName, field); !tfvalue.QuantityEqual(desired, value) {
				return fmt.Errorf("party %s/%s container %s has %s %q, not %q", domain, role, r.ContainerName, field, value, desired)
			}
		}
	}
	return nil
}

// strategyMatches compares strategies with the default of 25% for a rolling
// update.
func strategyMatches(got *kuscia.UpdateStrategy, party rules.Party) error {
	want := kuscia.UpdateStrategy{Type: kuscia.StrategyRollingUpdate, MaxSurge: "25%", MaxUnavailable: "25%"}
	if party.Strategy.Type.ValueString() == kuscia.StrategyRecreate {
		want = kuscia.UpdateStrategy{Type: kuscia.StrategyRecreate}
	}
	if surge := party.Strategy.MaxSurge.ValueString(); surge != "" {
		want.MaxSurge = surge
	}
	if unavailable := party.Strategy.MaxUnavailable.ValueString(); unavailable != "" {
		want.MaxUnavailable = unavailable
	}
	if got == nil || got.Type != want.Type || !tfvalue.CountOrPercentEqual(got.MaxSurge, want.MaxSurge) || !tfvalue.CountOrPercentEqual(got.MaxUnavailable, want.MaxUnavailable) {
		return fmt.Errorf("the strategy is %+v, not %+v", got, want)
	}
	return nil
}

// amountFor is the configured amount for a container: of the entry with its name,
// otherwise of that for all containers.
func amountFor(party rules.Party, container, field string) string {
	value := ""
	for _, item := range []rules.ContainerResources{party.Resources.Common, party.Resources.Named[container]} {
		amount := map[string]types.String{"min_cpu": item.MinCPU, "max_cpu": item.MaxCPU, "min_memory": item.MinMemory, "max_memory": item.MaxMemory}[field]
		value = cmp.Or(amount.ValueString(), value)
	}
	return value
}

// TestAccRandomConfigurationsAreDisjoint: no two tests have a serving, an app image or a
// prefix of a domain in common, so that they can be in one Kuscia at the same
// time.
func TestAccRandomConfigurationsAreDisjoint(t *testing.T) {
	e := newEnv(t)
	seen := map[string]uint64{}
	for seed := range uint64(300) {
		w := newUniqueNames(t, e)
		drawn := servingtest.Configs().Example(int(seed % 100)) // another run has the same numbers
		own := map[string]bool{w.id: true}
		for i := range 4 {
			for _, party := range w.settled(drawn.Serving).Parties.Items {
				if prefix := party.ServiceNamePrefix.ValueString(); prefix != "" {
					own[prefix] = true
				}
			}
			drawn = servingtest.Edits(drawn.Serving).Example(int(seed%100) + i)
		}
		for _, image := range w.images {
			own[image.Name] = true
		}
		for name := range own {
			if other, taken := seen[name]; taken {
				t.Fatalf("seeds %d and %d both have %s", other, seed, name)
			}
			seen[name] = seed
		}
	}
}
