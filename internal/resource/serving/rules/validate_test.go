package rules_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestValidate: what Kuscia would accept and then hang or fail on is an error at
// the attribute; unknown values are checked later.
func TestValidate(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 60)
	whole := func(m rules.Serving, change func(*rules.Serving)) rules.Serving { change(&m); return m }
	for name, test := range map[string]struct {
		config rules.Serving
		paths  []path.Path // none means valid
		says   string
	}{
		"triggers and unknown text": {config: whole(TwoParties(), func(m *rules.Serving) {
			m.RedeployTriggers, m.ServingInputConfig = Triggers("1"), types.StringUnknown()
		})},

		"initiator unknown":         {config: whole(TwoParties(), func(m *rules.Serving) { m.Initiator = types.StringUnknown() })},
		"initiator, unknown domain": {config: whole(InParty(TwoParties(), 1, func(p *rules.Party) { p.DomainID = types.StringUnknown() }), func(m *rules.Serving) { m.Initiator = types.StringValue("carol") })},
		"initiator, unknown party":  {config: whole(InParty(TwoParties(), 1, func(p *rules.Party) { *p = rules.Party{Unknown: true} }), func(m *rules.Serving) { m.Initiator = types.StringValue("carol") })},
		"parties unknown":           {config: whole(TwoParties(), func(m *rules.Serving) { m.Parties = rules.UnknownParties() })},

		"key with domain":     {config: ConfigOf(PartyOf("alice", Named("Alice, the host")))},
		"domain, other role":  {config: ConfigOf(PartyOf("alice"), PartyOf("alice", Role("server"), Named("server")))},
		"role unknown":        {config: ConfigOf(PartyOf("alice"), PartyOf("alice", Named("b"), func(p *rules.Party) { p.Role = types.StringUnknown() }))},
		"prefix, two domains": {config: ConfigOf(PartyOf("alice", Prefix("p")), PartyOf("bob", Prefix("p")))},

		"long role":          {ConfigOf(PartyOf("alice", Role(long))), []path.Path{PartiesPath("alice", "role")}, "64 characters"},
		"longest role":       {config: ConfigOf(PartyOf("alice", Role(long[1:])))},
		"long role, unknown": {config: whole(ConfigOf(PartyOf("alice", Role(long))), func(m *rules.Serving) { m.ServingID = types.StringUnknown() })},

		"bounds of an unknown type": {config: ConfigOf(PartyOf("alice", func(p *rules.Party) {
			p.Strategy = rules.Strategy{Type: types.StringUnknown(), MaxSurge: types.StringValue("0"), MaxUnavailable: types.StringValue("0")}
		}))},
		"unknown bound": {config: ConfigOf(PartyOf("alice", func(p *rules.Party) {
			p.Strategy = rules.Strategy{MaxSurge: types.StringUnknown(), MaxUnavailable: types.StringValue("0")}
		}))},

		"null entry":       {ConfigOf(PartyOf("alice", Resources(ContainerEntry{Name: "c"}))), []path.Path{PartiesPath("alice", "container_resources").AtMapKey("c")}, "sets no value"},
		"no value for all": {config: ConfigOf(PartyOf("alice", Resources(ContainerResources("", "", "", "", ""))))},
		"unknown value":    {config: ConfigOf(PartyOf("alice", Resources(ContainerEntry{Values: rules.ContainerResources{State: attr.ValueStateKnown, MinCPU: types.StringUnknown()}})))},
		"unknown entry":    {config: ConfigOf(PartyOf("alice", Resources(ContainerEntry{Name: "d", Values: rules.ContainerResources{State: attr.ValueStateUnknown}}, ContainerResources("c", "1", "", "", ""))))},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			WantErrors(t, rules.Validate(test.config.Value()), test.paths, test.says)
		})
	}
}
