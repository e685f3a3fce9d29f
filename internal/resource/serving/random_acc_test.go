package serving_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// TestAccRandomSequences applies random configurations and random edits of
// them. After every apply the plan is empty (the test framework checks it,
// with and without refresh) and Kuscia has what the configuration says. A
// failing sequence runs again with KUSCIA_TEST_SEED set to its number.
func TestAccRandomSequences(t *testing.T) {
	t.Parallel()
	seeds, edits := sequenceSeeds(t)
	for _, seed := range seeds {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Parallel()
			e := acctest.New(t)
			w := newRandomWorld(t, e, seed)
			steps := []resource.TestStep{w.step(e)}
			for range edits {
				w.edit()
				steps = append(steps, w.step(e))
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
	count, edits := 15, 2
	if acctest.Long() {
		count, edits = 200, 4
	}
	first := rand.Uint64N(1_000_000)
	for i := range count {
		seeds = append(seeds, first+uint64(i))
	}
	return seeds, edits
}

// randomWorld is a configuration that is edited at random.
type randomWorld struct {
	*rand.Rand
	id     string
	images []randomImage
	// prefixes are for service_name_prefix: of this world alone, since worlds
	// side by side share the domains.
	prefixes  []string
	initiator string
	config    string // JSON, other text, or ""
	affinity  string
	// hidden says that the text is in the write-only form, of this version.
	hidden, canHide bool
	version         int
	parties         []randomParty
	trigger         int
}

// randomImage is an app image; all have the same ports, so that a live serving
// may change from one to another.
type randomImage struct {
	name       string
	containers []string
	defaults   bool
}

type randomParty struct {
	domain, role     string
	image            int
	replicas         int // 0: left out
	prefix           string
	strategy         string // HCL, "" left out
	surge, unavail   string // what is desired of Kuscia
	recreate         bool
	common           map[string]string
	named            map[string]map[string]string
	shuffleResources bool
}

func newRandomWorld(t *testing.T, e *acctest.Env, seed uint64) *randomWorld {
	w := &randomWorld{Rand: rand.New(rand.NewPCG(seed, seed)), id: e.Name("rnd"), canHide: acctest.HasWriteOnly(t)}
	w.images = []randomImage{
		{e.Name("one"), []string{"main"}, false},
		{e.Name("onemore"), []string{"main"}, true},
		{e.Name("two"), []string{"main", "sidecar"}, false},
		{e.Name("twomore"), []string{"main", "sidecar"}, true},
	}
	w.prefixes = []string{e.Name("pre"), e.Name("p2-x"), e.Name("abc")}
	w.randomConfig()
	w.affinity = w.choose("", "none", "affinity", "anti-affinity")
	for i, domain := range []string{"alice", "bob", "alice"}[:1+w.IntN(3)] {
		w.parties = append(w.parties, w.randomParty(domain, []string{"", "", "extra"}[i]))
	}
	w.uniquePrefixes()
	w.initiator = w.parties[w.IntN(len(w.parties))].domain
	return w
}

func (w *randomWorld) choose(options ...string) string { return options[w.IntN(len(options))] }

// randomConfig draws a text and a form; a new hidden text has a new version.
func (w *randomWorld) randomConfig() {
	w.hidden, w.version = w.IntN(3) == 0 && w.canHide, w.version+1
	w.config = w.choose("", "plain text", "not json {", `{"a":1,"b":[1,2,{"c":null}]}`, `{"v":2}`, `{"b":"\u00e9","a":1.50}`, `[1, 2]`)
}

func (w *randomWorld) randomParty(domain, role string) randomParty {
	p := randomParty{domain: domain, role: role, image: w.IntN(len(w.images)), replicas: w.IntN(3)}
	if w.IntN(3) == 0 {
		p.prefix = w.choose(w.prefixes...)
	}
	w.randomStrategy(&p)
	w.randomResources(&p)
	return p
}

func (w *randomWorld) randomStrategy(p *randomParty) {
	p.recreate, p.surge, p.unavail = false, "25%", "25%"
	switch w.IntN(5) {
	case 0:
		p.strategy = ""
	case 1:
		p.strategy, p.recreate, p.surge, p.unavail = `{ type = "Recreate" }`, true, "", ""
	case 2:
		p.strategy = `{ type = "RollingUpdate" }`
	case 3:
		p.surge = w.choose("1", "2", "50%", "01")
		p.strategy = fmt.Sprintf(`{ max_surge = %q }`, p.surge)
	default:
		p.surge, p.unavail = w.choose("1", "100%"), w.choose("0", "0%", "1", "30%")
		p.strategy = fmt.Sprintf(`{ type = "RollingUpdate", max_surge = %q, max_unavailable = %q }`, p.surge, p.unavail)
	}
}

var (
	randomLow  = map[string][]string{"cpu": {"0.1", "100m", "0.5", "250m", "0"}, "memory": {"64Mi", "0.0625Gi", "100M", "1e8", "128974848000m"}}
	randomHigh = map[string][]string{"cpu": {"1", "1000m", "1.5", "1.50", "2"}, "memory": {"1Gi", "1024Mi", "1.5Gi", "2Gi", "4e9"}}
)

// randomValues are amounts of which min is always below max, and at least one
// is set.
func (w *randomWorld) randomValues() map[string]string {
	values := map[string]string{}
	for {
		for _, what := range []string{"cpu", "memory"} {
			if w.IntN(2) == 0 {
				values["min_"+what] = w.choose(randomLow[what]...)
			}
			if w.IntN(2) == 0 {
				values["max_"+what] = w.choose(randomHigh[what]...)
			}
		}
		if len(values) > 0 {
			return values
		}
	}
}

func (w *randomWorld) randomResources(p *randomParty) {
	p.common, p.named = nil, nil
	image := w.images[p.image]
	switch w.IntN(4) {
	case 0:
	case 1:
		p.common = w.randomValues()
	case 2:
		p.named = map[string]map[string]string{}
		for _, name := range image.containers {
			p.named[name] = w.randomValues()
		}
	default:
		p.common = w.randomValues()
		p.named = map[string]map[string]string{image.containers[w.IntN(len(image.containers))]: w.randomValues()}
	}
}

// edit changes one or two things, or only how they are written.
func (w *randomWorld) edit() {
	for range 1 + w.IntN(2) {
		p := &w.parties[w.IntN(len(w.parties))]
		switch w.IntN(13) {
		case 0:
			p.replicas = w.IntN(4)
		case 1:
			w.randomStrategy(p)
		case 2:
			w.randomResources(p)
		case 3:
			p.editValue(w)
		case 4:
			w.randomConfig()
		case 5:
			w.Shuffle(len(w.parties), func(i, j int) { w.parties[i], w.parties[j] = w.parties[j], w.parties[i] })
		case 6:
			p.image = p.image/2*2 + w.IntN(2)
		case 7:
			if w.image(p); p.common == nil && p.named == nil {
				p.image = w.IntN(len(w.images))
			}
		case 8:
			p.prefix = w.choose(append([]string{""}, w.prefixes...)...)
			w.uniquePrefixes()
		case 9:
			w.trigger++
		case 11: // the other form of the same text
			w.hidden = !w.hidden && w.canHide
		case 10:
			p.shuffleResources = !p.shuffleResources
		default:
			if len(w.parties) > 1 && w.parties[len(w.parties)-1].domain != w.initiator {
				w.parties = w.parties[:len(w.parties)-1]
			} else {
				w.affinity = w.choose("", "none", "affinity")
			}
		}
	}
	w.uniquePrefixes()
}

func (w *randomWorld) image(p *randomParty) randomImage { return w.images[p.image] }

// uniquePrefixes keeps two parties of a domain from using the same prefix.
func (w *randomWorld) uniquePrefixes() {
	seen := map[string]bool{}
	for i := range w.parties {
		key := w.parties[i].domain + "/" + w.parties[i].prefix
		if w.parties[i].prefix != "" && seen[key] {
			w.parties[i].prefix += "x"
		}
		seen[key] = true
	}
}

// editValue changes, takes away or adds a single amount.
func (p *randomParty) editValue(w *randomWorld) {
	values := p.common
	for _, name := range w.image(p).containers {
		if values == nil || (p.named[name] != nil && w.IntN(2) == 0) {
			values = p.named[name]
		}
	}
	if values == nil {
		return
	}
	what := w.choose("cpu", "memory")
	switch field := w.choose("min_", "max_") + what; {
	case w.IntN(4) == 0 && len(values) > 1:
		delete(values, field)
	case strings.HasPrefix(field, "min_"):
		values[field] = w.choose(randomLow[what]...)
	default:
		values[field] = w.choose(randomHigh[what]...)
	}
}

// desired is what Kuscia shall store for a container; nil where nothing is asked.
func (p *randomParty) desired(container string) map[string]string {
	if p.common == nil && p.named == nil {
		return nil
	}
	values := map[string]string{}
	for field, value := range p.common {
		values[field] = value
	}
	for field, value := range p.named[container] {
		values[field] = value
	}
	return values
}

func (w *randomWorld) step(e *acctest.Env) resource.TestStep {
	return resource.TestStep{Config: e.ProviderConfig() + w.hcl(), Check: w.matches(e)}
}

func (w *randomWorld) hcl() string {
	var b strings.Builder
	for i, image := range w.images {
		containers := make([]string, len(image.containers))
		for j, name := range image.containers {
			ports, resources := "", ""
			if j == 0 {
				ports = `, ports = [{ name = "service", scope = "Domain" }, { name = "communication", scope = "Cluster" }]`
			}
			if image.defaults {
				resources = `, resources = { requests = { cpu = "10m" }, limits = { cpu = "4", memory = "8Gi" } }`
			}
			containers[j] = fmt.Sprintf("{ name = %q%s%s }", name, ports, resources)
		}
		fmt.Fprintf(&b, "resource \"kuscia_app_image\" \"i%d\" {\n  name = %q\n  image = { name = \"example/app\", tag = \"%d\" }\n  deploy_templates = [{ name = \"t\", containers = [%s] }]\n}\n",
			i, image.name, i, strings.Join(containers, ", "))
	}
	s := servingHCL{label: "s", id: quote(w.id), initiator: quote(w.initiator)}
	if w.config != "" {
		s.config = strconv.Quote(w.config)
		if w.hidden {
			s.config, s.hidden, s.version = "", s.config, strconv.Itoa(w.version)
		}
	}
	if w.affinity != "" {
		s.affinity = quote(w.affinity)
	}
	if w.trigger > 0 && tfvalue.IsJSON(w.config) {
		s.triggers = fmt.Sprintf(`{ n = "%d" }`, w.trigger)
	}
	for i := range w.parties {
		s.parties = append(s.parties, w.parties[i].hcl())
	}
	return b.String() + s.String()
}

func (p *randomParty) hcl() partyHCL {
	out := partyHCL{domain: quote(p.domain), image: fmt.Sprintf("kuscia_app_image.i%d.name", p.image), strategy: p.strategy}
	if p.role != "" {
		out.role = quote(p.role)
	}
	if p.prefix != "" {
		out.prefix = quote(p.prefix)
	}
	if p.replicas > 0 {
		out.replicas = strconv.Itoa(p.replicas)
	}
	var entries []string
	if p.common != nil {
		entries = append(entries, valuesHCL("", p.common))
	}
	for _, name := range []string{"main", "sidecar"} {
		if p.named[name] != nil {
			entries = append(entries, valuesHCL(name, p.named[name]))
		}
	}
	if p.shuffleResources {
		slices.Reverse(entries)
	}
	if len(entries) > 0 {
		out.resources = "[" + strings.Join(entries, ", ") + "]"
	}
	return out
}

func valuesHCL(container string, values map[string]string) string {
	var parts []string
	if container != "" {
		parts = append(parts, fmt.Sprintf("container_name = %q", container))
	}
	for _, field := range []string{"min_cpu", "max_cpu", "min_memory", "max_memory"} {
		if value, ok := values[field]; ok {
			parts = append(parts, fmt.Sprintf("%s = %q", field, value))
		}
	}
	return "{ " + strings.Join(parts, ", ") + " }"
}

// matches compares what Kuscia has with what the configuration asks for, and
// takes a copy of it now: the world goes on changing while steps are made.
func (w *randomWorld) matches(e *acctest.Env) resource.TestCheckFunc {
	config, initiator, images := w.config, w.initiator, w.images
	parties := make([]randomParty, len(w.parties))
	for i, p := range w.parties {
		parties[i] = p
		parties[i].common, parties[i].named = cloneValues(p.common), map[string]map[string]string{}
		for name, values := range p.named {
			parties[i].named[name] = cloneValues(values)
		}
		if p.named == nil {
			parties[i].named = nil
		}
	}
	return func(*terraform.State) error {
		answer, err := e.API.QueryServing(context.Background(), w.id)
		if err != nil {
			return err
		}
		if answer.Initiator != initiator || !tfvalue.ConfigTextEqual(answer.ServingInputConfig, config) || len(answer.Parties) != len(parties) {
			return fmt.Errorf("Kuscia has initiator %q, config %q and %d parties", answer.Initiator, answer.ServingInputConfig, len(answer.Parties))
		}
		for i := range parties {
			if err := parties[i].matches(answer, images[parties[i].image]); err != nil {
				return err
			}
		}
		if answer.Status == nil || answer.Status.State != kuscia.StateAvailable {
			return fmt.Errorf("the serving does not run: %+v", answer.Status)
		}
		return nil
	}
}

func cloneValues(values map[string]string) map[string]string {
	if values == nil {
		return nil
	}
	out := map[string]string{}
	for field, value := range values {
		out[field] = value
	}
	return out
}

func (p *randomParty) matches(answer *kuscia.Serving, image randomImage) error {
	i := slices.IndexFunc(answer.Parties, func(o kuscia.ServingParty) bool { return o.DomainID == p.domain && o.Role == p.role })
	if i < 0 {
		return fmt.Errorf("party %s/%s is missing", p.domain, p.role)
	}
	got := answer.Parties[i]
	replicas := int32(max(p.replicas, 1))
	if got.AppImage != image.name || got.Replicas == nil || *got.Replicas != replicas || got.ServiceNamePrefix != p.prefix {
		return fmt.Errorf("party %s/%s is %+v", p.domain, p.role, got)
	}
	if (got.UpdateStrategy.Type == kuscia.StrategyRecreate) != p.recreate ||
		!tfvalue.CountOrPercentEqual(got.UpdateStrategy.MaxSurge, p.surge) || !tfvalue.CountOrPercentEqual(got.UpdateStrategy.MaxUnavailable, p.unavail) {
		return fmt.Errorf("party %s/%s has the strategy %+v", p.domain, p.role, *got.UpdateStrategy)
	}
	for _, r := range got.Resources {
		desired := p.desired(r.ContainerName)
		if desired == nil || !slices.Contains(image.containers, r.ContainerName) {
			continue
		}
		for field, value := range map[string]string{"min_cpu": r.MinCPU, "max_cpu": r.MaxCPU, "min_memory": r.MinMemory, "max_memory": r.MaxMemory} {
			if !tfvalue.QuantityEqual(desired[field], value) {
				return fmt.Errorf("party %s/%s container %s has %s %q, not %q", p.domain, p.role, r.ContainerName, field, value, desired[field])
			}
		}
	}
	return nil
}

// TestAccRandomWorldsDoNotClash: no two worlds have a serving, an app image or a
// prefix of a domain in common, whatever is drawn, so that they may be in one
// Kuscia at the same time.
func TestAccRandomWorldsDoNotClash(t *testing.T) {
	e := newEnv(t)
	seen := map[string]uint64{}
	for seed := range uint64(300) {
		w := newRandomWorld(t, e, seed%100) // the same numbers come again in another run
		own := map[string]bool{w.id: true}
		for range 4 {
			for _, p := range w.parties {
				if p.prefix != "" {
					own[p.prefix] = true
				}
			}
			for _, image := range w.images {
				own[image.name] = true
			}
			w.edit()
		}
		for name := range own {
			if other, taken := seen[name]; taken {
				t.Fatalf("worlds %d and %d both have %s", other, seed, name)
			}
			seen[name] = seed
		}
	}
}
