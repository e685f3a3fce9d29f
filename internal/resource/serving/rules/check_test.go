package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestExistingErrorsAreWarnings: an error that is already in the state and does not change
// becomes a warning. It remains an error if the value changes, if the update
// would wait for it in vain, and for a new serving.
func TestExistingErrorsAreWarnings(t *testing.T) {
	t.Parallel()
	wrong := ConfigOf(
		PartyOf("alice", Replicas(0), RollingUpdate("0", "0")),
		PartyOf("bob", Resources(ContainerResources("main", "4", "2", "-1Gi", ""))),
	)
	state := StateOf(wrong)
	edit := func(edits ...func(*rules.Serving)) rules.Serving {
		m := wrong
		m = m.WithServingAttribute(rules.AttrConfig, types.StringValue(`{"model": 2}`)).WithServingAttribute(definition.AttrWaitForRollout, types.BoolValue(false))
		for _, e := range edits {
			e(&m)
		}
		return m
	}
	inAlice := func(change func(*rules.Party)) func(*rules.Serving) {
		return func(m *rules.Serving) { *m = InParty(*m, 0, change) }
	}
	inBob := func(change func(*rules.Party)) func(*rules.Serving) {
		return func(m *rules.Serving) { *m = InParty(*m, 1, change) }
	}
	all := []path.Path{PartiesPath("alice", "replicas"), PartiesPath("alice", "update_strategy"),
		PartiesPath("bob", "container_resources").AtMapKey("main").AtName("min_memory"), PartiesPath("bob", "container_resources").AtMapKey("main")}
	for name, test := range map[string]struct {
		config   rules.Serving
		errors   []path.Path
		warnings int
	}{
		"left alone":   {edit(), nil, 4},
		"respelled":    {edit(inBob(Resources(ContainerResources("main", "4000m", "2.0", "-1024Mi", "")))), nil, 4},
		"replicas":     {edit(inAlice(Replicas(-1))), all[:1], 3},
		"resources":    {edit(inBob(Resources(ContainerResources("main", "3", "2", "1Gi", "")))), all[3:], 2},
		"made wrong":   {edit(inBob(Replicas(0))), []path.Path{PartiesPath("bob", "replicas")}, 4},
		"waiting":      {edit(func(m *rules.Serving) { *m = m.WithServingAttribute(definition.AttrWaitForRollout, types.BoolNull()) }), all, 0},
		"other domain": {edit(inBob(func(p *rules.Party) { *p = p.WithPartyAttribute("domain_id", types.StringValue("carol")) })), all[2:], 2},
	} {
		planned, _ := rules.PlanUpdate(test.config, state, rules.Private{}, rules.KnownImages(ImagesOf()))
		diags := rules.CheckPlan(test.config, &planned, &state, rules.Private{})
		if !slices.EqualFunc(ErrorPaths(diags), test.errors, path.Path.Equal) || len(diags.Warnings()) != test.warnings {
			t.Errorf("%s: the diagnostics are %v", name, diags)
		}
		if fresh := rules.CheckPlan(test.config, nil, nil, rules.Private{}); len(fresh) != len(diags) || fresh.WarningsCount() > 0 {
			t.Errorf("%s: diagnostics for a new serving: %v", name, fresh)
		}
	}
	waiting := rules.CheckPlan(edit(func(m *rules.Serving) { *m = m.WithServingAttribute(definition.AttrWaitForRollout, types.BoolNull()) }), &state, &state, rules.Private{})
	if !slices.ContainsFunc(waiting, func(d diag.Diagnostic) bool { return strings.Contains(d.Detail(), "set wait_for_rollout = false") }) {
		t.Errorf("the diagnostics are %v", waiting)
	}
}

// TestTinyMemory: half a byte is a warning when it is set, and none while
// it does not change.
func TestTinyMemory(t *testing.T) {
	t.Parallel()
	tiny := ConfigOf(PartyOf("alice", Resources(ContainerResources("", "", "", "", "512m"))))
	at := PartiesPath("alice", "resources").AtName("max_memory")
	found := rules.CheckPlan(tiny, nil, nil, rules.Private{})
	if len(found) != 1 || found.HasError() || !strings.Contains(found[0].Detail(), at.String()+`: "512m" is 0.512 bytes`) {
		t.Errorf("diagnostics for a new serving: %v", found)
	}
	state := StateOf(tiny)
	more := InParty(tiny, 0, Replicas(2))
	planned, _ := rules.PlanUpdate(more, state, rules.Private{}, rules.KnownImages(ImagesOf()))
	if found := rules.CheckPlan(more, &planned, &state, rules.Private{}); len(found) > 0 {
		t.Errorf("diagnostics for an unchanged value: %v", found)
	}
}

// TestCheckConfigText: a text with which no container can start is a warning in
// the plan that sets it, in either form.
func TestCheckConfigText(t *testing.T) {
	t.Parallel()
	text := func(length int) types.String {
		return types.StringValue(`"` + strings.Repeat("s3cr3t", length)[:length-2] + `"`)
	}
	shown := func(length int) rules.Serving { return WithPlainConfig(ConfigOf(PartyOf("alice")), text(length)) }
	hidden := func(version int64) rules.Serving {
		return WriteOnly(ConfigOf(PartyOf("alice")), text(200_000).ValueString(), version)
	}
	none := rules.Serving{}
	for name, test := range map[string]struct {
		config, prior rules.Serving
		at            string // "" means no warning
	}{
		"as much as Linux allows": {shown(131_058), none, ""},
		"one byte more":           {shown(131_059), none, rules.AttrConfig},
		"hidden":                  {hidden(1), none, rules.AttrConfigWO},
		"as before":               {shown(200_000), StateOf(shown(200_000)), ""},
		"another version":         {hidden(2), StateOf(hidden(1)), rules.AttrConfigWO},
	} {
		planned := StateOf(ConfigOf(PartyOf("alice")))
		after, prior := &planned, &test.prior
		if prior.ServingID().IsNull() {
			after, prior = nil, nil
		}
		found := rules.CheckPlan(test.config, after, prior, rules.Private{})
		if test.at == "" {
			NoDiags(t, found)
			continue
		}
		if len(found) != 1 || found.HasError() {
			t.Fatalf("%s: the diagnostics are %v", name, found)
		}
		with, ok := found[0].(diag.DiagnosticWithPath)
		if !ok || !with.Path().Equal(path.Root(test.at)) || !strings.Contains(found[0].Detail(), "INPUT_CONFIG") || strings.Contains(found[0].Detail(), "s3cr3t") {
			t.Errorf("%s: the diagnostics are %v", name, found)
		}
	}
}
