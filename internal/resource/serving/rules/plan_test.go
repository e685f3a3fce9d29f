package rules_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestPlanTable has the differences that replace a serving, and why; TestPropertyEdits shows that
// no others do.
func TestPlanTable(t *testing.T) {
	t.Parallel()
	alice := func(edits ...func(*rules.Party)) func(rules.Serving) rules.Serving {
		return func(m rules.Serving) rules.Serving { return InParty(m, 0, edits...) }
	}
	bob := func(amounts ...ContainerEntry) func(rules.Serving) rules.Serving {
		return func(m rules.Serving) rules.Serving { return InParty(m, 1, Resources(amounts...)) }
	}
	domain := func(name string) func(*rules.Party) {
		return func(p *rules.Party) { *p = p.WithPartyAttribute("domain_id", types.StringValue(name)) }
	}
	main, side := ContainerResources("main", "0.1", "1", "1.5Gi", "2Gi"), ContainerResources("side", "100m", "", "", "")
	for name, test := range map[string]struct {
		change func(rules.Serving) rules.Serving
		at     string
		why    string
	}{
		"service_name_prefix":         {alice(Prefix("new")), `parties["alice"].service_name_prefix`, "silently ignores"},
		"the same of a renamed party": {alice(Named("one"), Prefix("new")), "parties", "silently ignores"},
		"party added": {func(m rules.Serving) rules.Serving {
			return InParties(m, func(p []rules.Party) []rules.Party { return append(p, PartyOf("carol")) })
		}, `parties["carol"]`, `Added: parties["carol"].`},
		"party removed": {func(m rules.Serving) rules.Serving {
			return InParties(m, func(p []rules.Party) []rules.Party { return p[:1] })
		}, `parties["bob"]`, `Removed: parties["bob"].`},
		"role": {alice(Role("client")), `parties["alice"]`, `serving. Other domain or role: parties["alice"].`},
		"domains exchanged": {func(m rules.Serving) rules.Serving {
			return InParty(InParty(m, 0, domain("bob")), 1, domain("alice"))
		}, `parties["alice"]`, `Other domain or role: parties["alice"], parties["bob"].`},
		"serving_input_config cleared": {func(m rules.Serving) rules.Serving {
			m = m.WithServingAttribute(rules.AttrConfig, types.StringValue(""))
			return m
		}, "serving_input_config", "\"unchanged\""},
		"resources left out":     {alice(NoResources), `parties["alice"].resources`, "is removed"},
		"resource field cleared": {alice(Resources(ContainerResources("", "0.5", "2", "1Gi", ""))), `parties["alice"].resources`, "max_memory is removed"},
		"named entry removed":    {bob(main), `parties["bob"].container_resources`, `container "side": min_cpu is removed`},
		"first limit":            {bob(main, ContainerResources("side", "100m", "1", "", "")), `parties["bob"].container_resources`, `container "side": max_cpu would be its first limit`},
		"first limit through all containers": {
			bob(ContainerResources("", "", "", "", "2Gi"), main, side), `parties["bob"].resources`, `container "side": max_memory would be its first limit`,
		},
		"zero without a stored value": {
			bob(main, ContainerResources("side", "100m", "", "0", "")), `parties["bob"].container_resources`, `container "side": min_memory is set to zero`,
		},
		"container without stored resources": {
			bob(main, side, ContainerResources("extra", "1", "", "", "")), `parties["bob"].container_resources`, `container "extra": min_cpu would be its first request`,
		},
		"app image with another container for all": {alice(Image("third")), `parties["alice"].app_image`, `the container "extra"`},
	} {
		config := TwoParties()
		got, _, reasons := Classify(t, test.change(config), StateOf(config), TwoPartiesPrivate(), AllImages)
		if got != Replace || reasons[0].Path.String() != test.at || !strings.Contains(reasons[0].Why, test.why) {
			t.Errorf("%s: the plan is %s for %+v", name, got, reasons)
		}
	}
}

// TestPlanKeepsSpelling: in a plan with a real change, values that differ only
// in spelling keep the old one wherever Terraform allows it.
func TestPlanKeepsSpelling(t *testing.T) {
	t.Parallel()
	config := TwoParties()
	prior := StateOf(config)
	prior = rules.Of(rules.Definition.WithImportDefaults(prior.Value()))
	edited := InParty(InParty(config, 0, Replicas(3), RollingUpdate("", ""), Resources(ContainerResources("", "500m", "2", "1024Mi", "2Gi"))),
		1, Resources(ContainerResources("side", "0.1", "", "", ""), ContainerResources("main", "100m", "1", "1536Mi", "2Gi")))
	edited = InParty(edited, 0, func(p *rules.Party) { *p = p.WithPartyAttribute("role", types.StringNull()) }) // it is ""
	edited = edited.WithServingAttribute(rules.AttrConfig, types.StringValue(`{"model":1}`))
	got, planned, _ := Classify(t, edited, prior, TwoPartiesPrivate(), AllImages)
	if got != Update {
		t.Fatalf("the plan is %s", got)
	}
	want := prior
	want = InParty(want, 0, Replicas(3))
	SameModel(t, planned, want)
}

// TestPlanUnknown: an unknown value never panics, never becomes a zero value,
// and requires a replacement only if Kuscia could not apply every outcome in
// place.
func TestPlanUnknown(t *testing.T) {
	t.Parallel()
	bobs := func(container, amount string) func(rules.Serving) rules.Serving {
		return func(m rules.Serving) rules.Serving {
			return InParty(m, 1, InContainer(container, amount, types.StringUnknown()))
		}
	}
	for name, test := range map[string]struct {
		change func(rules.Serving) rules.Serving
		want   Outcome
	}{
		"parties": {func(m rules.Serving) rules.Serving { m = m.WithParties(rules.UnknownParties()); return m }, Replace},
		"resources": {func(m rules.Serving) rules.Serving {
			return InParty(m, 1, func(p *rules.Party) { *p = p.WithResources(UnknownResources) })
		}, Replace},
		"the second of a side": {bobs("side", "min_memory"), Update},
		"the first of a side":  {bobs("side", "max_cpu"), Replace},
		"a first amount": {func(m rules.Serving) rules.Serving {
			return InParties(m, func(parties []rules.Party) []rules.Party {
				return append(parties, PartyOf("carol", Resources(ContainerResources("", "1", "", "", "")), InContainer("", "min_cpu", types.StringUnknown())))
			})
		}, Update},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := TwoParties()
			prior := config
			if name == "a first amount" {
				prior = InParties(config, func(parties []rules.Party) []rules.Party { return append(parties, PartyOf("carol")) })
			}
			got, _, reasons := Classify(t, test.change(config), StateOf(prior), TwoPartiesPrivate(), AllImages)
			if got != test.want {
				t.Errorf("the plan is %s (%v), want %s", got, reasons, test.want)
			}
		})
	}
}

// TestPlanWriteOnly: the effect of a write-only text whose version does not change, or that may not
// be stored; the text is never in the plan. TestPropertyEdits shows other changes.
func TestPlanWriteOnly(t *testing.T) {
	t.Parallel()
	hidden := func(text string) rules.Serving { return WriteOnly(TwoParties(), text, 1) }
	none, unknown := WithPlainConfig(TwoParties(), types.StringNull()), hidden("")
	unknown = unknown.WithServingAttribute(rules.AttrConfigWO, types.StringUnknown())
	for name, test := range map[string]struct {
		before, after rules.Serving
		want          Outcome
	}{
		"another text, same version":    {StateOf(hidden("one")), hidden("two"), NoOp},
		"an unknown text, same version": {StateOf(hidden("one")), unknown, NoOp},
		"a stale state":                 {rules.MarkConfigUnsure(StateOf(hidden("one"))), hidden("one"), Update},
		"hidden text left out":          {StateOf(hidden("one")), none, Replace},
		"stale text left out":           {rules.MarkConfigUnsure(StateOf(none)), none, Replace},
	} {
		got, planned, reasons := Classify(t, test.after, test.before, TwoPartiesPrivate(), AllImages)
		if got != test.want || !planned.ServingInputConfig().IsNull() {
			t.Errorf("%s: the plan is %s %v, with the text %s", name, got, reasons, planned.ServingInputConfig())
		}
		if got == Replace && (len(reasons) != 1 || !reasons[0].Path.Equal(path.Root(rules.AttrConfigVersion)) || !strings.Contains(reasons[0].Why, "\"unchanged\"")) {
			t.Errorf("%s: the reasons are %v", name, reasons)
		}
	}
}

// TestComparePartiesLostObserved: an imported serving whose empty resources
// were applied may have resources that are no longer in the state; no more are added
// to them in place. If none were read, they are the first ones.
func TestComparePartiesLostObserved(t *testing.T) {
	t.Parallel()
	empty := PartyOf("alice", NoResources)
	asking := With(empty, Resources(ContainerResources("", "", "1", "", "")))
	observed := rules.Private{ObservedResources: []string{"alice/"}}
	if got := rules.CompareParties(empty, asking, observed); len(got.Replace) != 1 || got.Replace[0].Attribute != "resources" || got.TouchesResources() {
		t.Errorf("%+v", got)
	}
	if got := rules.CompareParties(empty, asking, rules.Private{}); len(got.Replace) > 0 || !got.FirstResources {
		t.Errorf("nothing was read: %+v", got)
	}
	if got := rules.CompareParties(empty, empty, observed); got.Any() {
		t.Errorf("no resources configured: %+v", got)
	}
}

// TestUnknownParty: the key of a party that is unknown need not be the ID of a domain.
func TestUnknownParty(t *testing.T) {
	config := definition.TreeOf(ConfigOf(PartyOf("alice")).Value())
	config["parties"].(definition.Tree)["Bob"] = definition.Unknown
	if found := rules.Validate(rules.Definition.Encode(config)); found.HasError() {
		t.Error(found)
	}
}
