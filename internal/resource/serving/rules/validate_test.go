package rules_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestValidate: what Kuscia would accept and then hang or fail on is an error at
// the attribute; unknown values are checked later.
func TestValidate(t *testing.T) {
	t.Parallel()
	root := path.Root("parties")
	long := strings.Repeat("x", 60)
	whole := func(m rules.Serving, change func(*rules.Serving)) rules.Serving { change(&m); return m }
	for name, test := range map[string]struct {
		config rules.Serving
		paths  []path.Path // none means valid
		says   string
	}{
		"everything":        {config: TwoParties()},
		"minimal":           {config: ConfigOf(PartyOf("alice"))},
		"triggers and JSON": {config: whole(TwoParties(), func(m *rules.Serving) { m.RedeployTriggers = Triggers("1") })},
		"triggers and text": {whole(TwoParties(), func(m *rules.Serving) {
			m.RedeployTriggers, m.ServingInputConfig = Triggers("1"), types.StringValue("plain")
		}), []path.Path{path.Root("redeploy_triggers")}, "replace_triggers"},
		"triggers and no text": {whole(TwoParties(), func(m *rules.Serving) {
			m.RedeployTriggers, m.ServingInputConfig = Triggers("1"), types.StringNull()
		}), []path.Path{path.Root("redeploy_triggers")}, `"{}" is enough`},
		"triggers and unknown text": {config: whole(TwoParties(), func(m *rules.Serving) {
			m.RedeployTriggers, m.ServingInputConfig = Triggers("1"), types.StringUnknown()
		})},
		"no triggers and text": {config: whole(TwoParties(), func(m *rules.Serving) { m.ServingInputConfig = types.StringValue("plain") })},

		"initiator":                 {whole(TwoParties(), func(m *rules.Serving) { m.Initiator = types.StringValue("carol") }), []path.Path{path.Root("initiator")}, `"carol" is not the domain_id`},
		"initiator unknown":         {config: whole(TwoParties(), func(m *rules.Serving) { m.Initiator = types.StringUnknown() })},
		"initiator, unknown domain": {config: whole(InParty(TwoParties(), 1, func(p *rules.Party) { p.DomainID = types.StringUnknown() }), func(m *rules.Serving) { m.Initiator = types.StringValue("carol") })},
		"initiator, unknown party":  {config: whole(InParty(TwoParties(), 1, func(p *rules.Party) { *p = rules.Party{Unknown: true} }), func(m *rules.Serving) { m.Initiator = types.StringValue("carol") })},
		"parties unknown":           {config: whole(TwoParties(), func(m *rules.Serving) { m.Parties = rules.UnknownParties() })},

		"duplicate":           {ConfigOf(PartyOf("alice"), PartyOf("bob"), PartyOf("alice", Role(""), Named("zoe"))), []path.Path{root.AtMapKey("zoe")}, `parties["alice"] has the same domain_id "alice" and role ""`},
		"duplicate with role": {ConfigOf(PartyOf("alice", Role("x"), Named("one")), PartyOf("alice", Role("x"), Named("two"))), []path.Path{root.AtMapKey("two")}, `parties["one"] has the same`},
		"no domain":           {ConfigOf(PartyOf("alice"), With(PartyOf("alice"), func(p *rules.Party) { p.Name = "alice/host" })), []path.Path{root.AtMapKey("alice/host")}, `The key "alice/host" is the domain_id of the party`},
		"key with domain":     {config: ConfigOf(PartyOf("alice", Named("Alice, the host")))},
		"domain, other role":  {config: ConfigOf(PartyOf("alice"), PartyOf("alice", Role("server"), Named("server")))},
		"role unknown":        {config: ConfigOf(PartyOf("alice"), PartyOf("alice", Named("b"), func(p *rules.Party) { p.Role = types.StringUnknown() }))},
		"duplicate prefix":    {ConfigOf(PartyOf("alice", Prefix("p")), PartyOf("alice", Named("b"), Role("x"), Prefix("p"))), []path.Path{PartiesPath("b", "service_name_prefix")}, `parties["alice"]`},
		"prefix, two domains": {config: ConfigOf(PartyOf("alice", Prefix("p")), PartyOf("bob", Prefix("p")))},
		"no prefix":           {config: ConfigOf(PartyOf("alice", Prefix("")), PartyOf("alice", Named("b"), Role("x"), Prefix("")))},

		"long role":          {ConfigOf(PartyOf("alice", Role(long))), []path.Path{PartiesPath("alice", "role")}, "64 characters"},
		"longest role":       {config: ConfigOf(PartyOf("alice", Role(long[1:])))},
		"long role, unknown": {config: whole(ConfigOf(PartyOf("alice", Role(long))), func(m *rules.Serving) { m.ServingID = types.StringUnknown() })},

		"null party": {config: whole(TwoParties(), func(m *rules.Serving) {
			m.Parties = rules.PartiesOf(append(m.Parties.Items, rules.Party{Name: "carol", Null: true})...)
		}), paths: []path.Path{root.AtMapKey("carol")}, says: "The party is null"},
		"surge zero":             {config: ConfigOf(PartyOf("alice", RollingUpdate("0", "1")))},
		"surge zero and default": {config: ConfigOf(PartyOf("alice", RollingUpdate("0", "")))},
		"bounds of Recreate": {ConfigOf(PartyOf("alice", Recreate, func(p *rules.Party) { p.Strategy.MaxSurge = types.StringValue("1") })),
			[]path.Path{PartiesPath("alice", "update_strategy").AtName("max_surge")}, "applies only to RollingUpdate"},
		"bounds of an unknown type": {config: ConfigOf(PartyOf("alice", func(p *rules.Party) {
			p.Strategy = rules.Strategy{Type: types.StringUnknown(), MaxSurge: types.StringValue("0"), MaxUnavailable: types.StringValue("0")}
		}))},
		"unknown bound": {config: ConfigOf(PartyOf("alice", func(p *rules.Party) {
			p.Strategy = rules.Strategy{MaxSurge: types.StringUnknown(), MaxUnavailable: types.StringValue("0")}
		}))},

		"no value":         {ConfigOf(PartyOf("alice", Resources(ContainerResources("c", "", "", "", "")))), []path.Path{PartiesPath("alice", "container_resources").AtMapKey("c")}, "sets no value"},
		"null entry":       {ConfigOf(PartyOf("alice", Resources(ContainerEntry{Name: "c"}))), []path.Path{PartiesPath("alice", "container_resources").AtMapKey("c")}, "sets no value"},
		"no value for all": {config: ConfigOf(PartyOf("alice", Resources(ContainerResources("", "", "", "", ""))))},
		"no name":          {ConfigOf(PartyOf("alice", func(p *rules.Party) { p.Resources.Named = map[string]rules.ContainerResources{"": {}} })), []path.Path{PartiesPath("alice", "container_resources").AtMapKey("")}, "it is empty"},
		"zero":             {config: ConfigOf(PartyOf("alice", Resources(ContainerResources("c", "0", "0", "", ""))))},
		"unknown value":    {config: ConfigOf(PartyOf("alice", Resources(ContainerEntry{Values: rules.ContainerResources{State: attr.ValueStateKnown, MinCPU: types.StringUnknown()}})))},
		"unknown entry":    {config: ConfigOf(PartyOf("alice", Resources(ContainerEntry{Name: "d", Values: rules.ContainerResources{State: attr.ValueStateUnknown}}, ContainerResources("c", "1", "", "", ""))))},
		"equal":            {config: ConfigOf(PartyOf("alice", Resources(ContainerResources("", "2", "2000m", "1Gi", "1024Mi"))))},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			WantErrors(t, rules.Validate(test.config.Value()), test.paths, test.says)
		})
	}
}

// TestValidateReportsAll: every mistake is reported, not only the first.
func TestValidateReportsAll(t *testing.T) {
	t.Parallel()
	config := ConfigOf(PartyOf("alice", Resources(ContainerResources("c", "", "", "", ""))), PartyOf("alice", Named("b"), Recreate, func(p *rules.Party) {
		p.Strategy.MaxSurge, p.Strategy.MaxUnavailable = types.StringValue("1"), types.StringValue("1")
	}))
	config.Initiator = types.StringValue("carol")
	if got := ErrorPaths(rules.Validate(config.Value())); len(got) != 5 {
		t.Errorf("errors are at %v", got)
	}
}

// TestDetailsSayWhatToDo: every error has a detail of more than one sentence.
func TestDetailsSayWhatToDo(t *testing.T) {
	t.Parallel()
	config := ConfigOf(PartyOf("alice", Prefix("p"), RollingUpdate("0", "0"), Resources(ContainerResources("c", "2", "1", "", ""))), PartyOf("alice", Named("b"), Prefix("p")))
	config.Initiator = types.StringValue("carol")
	config.RedeployTriggers, config.ServingInputConfig = Triggers("1"), types.StringNull()
	diags := append(rules.Validate(config.Value()), rules.CheckPlan(config, nil, nil, rules.Private{})...)
	if len(diags) < 5 {
		t.Errorf("errors are %v", diags)
	}
	for _, d := range diags {
		if d.Severity() != diag.SeverityError || strings.Count(d.Detail(), ". ")+strings.Count(d.Detail(), "; ") < 1 {
			t.Errorf("%s: %s", d.Summary(), d.Detail())
		}
	}
}
