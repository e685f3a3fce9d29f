package serving

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// TestValidate: what Kuscia would accept and then hang or fail on is an error
// on the attribute; what is unknown is left for later.
func TestValidate(t *testing.T) {
	t.Parallel()
	root := path.Root("parties")
	long := strings.Repeat("x", 60)
	whole := func(m model, change func(*model)) model { change(&m); return m }
	for name, test := range map[string]struct {
		config model
		paths  []path.Path // none is valid
		says   string
	}{
		"everything":        {config: twoParties()},
		"minimal":           {config: configOf(partyOf("alice"))},
		"triggers and JSON": {config: whole(twoParties(), func(m *model) { m.RedeployTriggers = triggers("1") })},
		"triggers and text": {whole(twoParties(), func(m *model) {
			m.RedeployTriggers, m.ServingInputConfig = triggers("1"), tfvalue.NewConfigTextValue("plain")
		}), []path.Path{path.Root("redeploy_triggers")}, "replace_triggers"},
		"triggers and no text": {whole(twoParties(), func(m *model) {
			m.RedeployTriggers, m.ServingInputConfig = triggers("1"), tfvalue.NewConfigTextNull()
		}), []path.Path{path.Root("redeploy_triggers")}, `"{}" is enough`},
		"triggers and unknown text": {config: whole(twoParties(), func(m *model) {
			m.RedeployTriggers, m.ServingInputConfig = triggers("1"), tfvalue.NewConfigTextUnknown()
		})},
		"no triggers and text": {config: whole(twoParties(), func(m *model) { m.ServingInputConfig = tfvalue.NewConfigTextValue("plain") })},

		"initiator":                 {whole(twoParties(), func(m *model) { m.Initiator = types.StringValue("carol") }), []path.Path{path.Root("initiator")}, `"carol" is not the domain_id`},
		"initiator unknown":         {config: whole(twoParties(), func(m *model) { m.Initiator = types.StringUnknown() })},
		"initiator, unknown domain": {config: whole(inParty(twoParties(), 1, func(p *party) { p.domainID = types.StringUnknown() }), func(m *model) { m.Initiator = types.StringValue("carol") })},
		"initiator, unknown party":  {config: whole(inParty(twoParties(), 1, func(p *party) { *p = party{unknown: true} }), func(m *model) { m.Initiator = types.StringValue("carol") })},
		"parties unknown":           {config: whole(twoParties(), func(m *model) { m.Parties = unknownParties() })},

		"duplicate":           {configOf(partyOf("alice"), partyOf("bob"), partyOf("alice", role(""))), []path.Path{root.AtListIndex(2)}, "parties[0] has the same domain_id"},
		"domain, other role":  {config: configOf(partyOf("alice"), partyOf("alice", role("server")))},
		"role unknown":        {config: configOf(partyOf("alice"), partyOf("alice", func(p *party) { p.role = types.StringUnknown() }))},
		"duplicate prefix":    {configOf(partyOf("alice", prefix("p")), partyOf("alice", role("x"), prefix("p"))), []path.Path{partiesPath(1, "service_name_prefix")}, "parties[0]"},
		"prefix, two domains": {config: configOf(partyOf("alice", prefix("p")), partyOf("bob", prefix("p")))},
		"no prefix":           {config: configOf(partyOf("alice", prefix("")), partyOf("alice", role("x"), prefix("")))},

		"long role":          {configOf(partyOf("alice", role(long))), []path.Path{partiesPath(0, "role")}, "64 characters"},
		"longest role":       {config: configOf(partyOf("alice", role(long[1:])))},
		"long role, unknown": {config: whole(configOf(partyOf("alice", role(long))), func(m *model) { m.ServingID = types.StringUnknown() })},

		"null party": {config: whole(twoParties(), func(m *model) {
			m.Parties = decodeParties(types.ListValueMust(partyType, append(m.Parties.encode().Elements(), types.ObjectNull(partyType.AttrTypes))))
		}), paths: []path.Path{root.AtListIndex(2)}, says: "The party is null"},
		"surge zero":             {config: configOf(partyOf("alice", rolling("0", "1")))},
		"surge zero and default": {config: configOf(partyOf("alice", rolling("0", "")))},
		"bounds of Recreate": {configOf(partyOf("alice", recreate, func(p *party) { p.strategy.surge = types.StringValue("1") })),
			[]path.Path{root.AtListIndex(0).AtName("update_strategy").AtName("max_surge")}, "belongs to RollingUpdate"},
		"bounds of an unknown type": {config: configOf(partyOf("alice", func(p *party) {
			p.strategy = strategy{kind: types.StringUnknown(), surge: types.StringValue("0"), unavailable: types.StringValue("0")}
		}))},
		"unknown bound": {config: configOf(partyOf("alice", func(p *party) {
			p.strategy = strategy{surge: types.StringUnknown(), unavailable: types.StringValue("0")}
		}))},

		"two for all": {configOf(partyOf("alice", asks(of("", "1", "", "", ""), of("", "2", "", "", "")))), []path.Path{partiesPath(0, "resources").AtListIndex(1).AtName("container_name")}, "all containers"},
		"null and empty name": {configOf(partyOf("alice", asks(of("", "1", "", "", ""), containerResources{container: types.StringValue(""), minCPU: tfvalue.NewQuantityValue("1")}))),
			[]path.Path{partiesPath(0, "resources").AtListIndex(1).AtName("container_name")}, "all containers"},
		"two by name":   {configOf(partyOf("alice", asks(of("c", "1", "", "", ""), of("c", "2", "", "", "")))), []path.Path{partiesPath(0, "resources").AtListIndex(1).AtName("container_name")}, `container "c"`},
		"no value":      {configOf(partyOf("alice", asks(of("c", "", "", "", "")))), []path.Path{partiesPath(0, "resources").AtListIndex(0)}, "sets no value"},
		"zero":          {config: configOf(partyOf("alice", asks(of("c", "0", "0", "", ""))))},
		"unknown value": {config: configOf(partyOf("alice", asks(containerResources{minCPU: tfvalue.NewQuantityUnknown()})))},
		"unknown entry": {config: configOf(partyOf("alice", asks(containerResources{unknown: true}, of("c", "1", "", "", ""))))},
		"equal":         {config: configOf(partyOf("alice", asks(of("", "2", "2000m", "1Gi", "1024Mi"))))},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantErrors(t, validate(test.config), test.paths, test.says)
		})
	}
}

// TestValidateTellsAll: every mistake is reported, not only the first.
func TestValidateTellsAll(t *testing.T) {
	t.Parallel()
	config := configOf(partyOf("alice", asks(of("c", "", "", "", ""))), partyOf("alice", recreate, func(p *party) {
		p.strategy.surge, p.strategy.unavailable = types.StringValue("1"), types.StringValue("1")
	}))
	config.Initiator = types.StringValue("carol")
	if got := errorPaths(validate(config)); len(got) != 5 {
		t.Errorf("errors are at %v", got)
	}
}

// TestDetailsSayWhatToDo: every error has a detail of more than one sentence.
func TestDetailsSayWhatToDo(t *testing.T) {
	t.Parallel()
	config := configOf(partyOf("alice", prefix("p"), rolling("0", "0"), asks(of("c", "2", "1", "", ""))), partyOf("alice", prefix("p")))
	config.Initiator = types.StringValue("carol")
	config.RedeployTriggers, config.ServingInputConfig = triggers("1"), tfvalue.NewConfigTextNull()
	diags := append(validate(config), judge(config, nil, nil, privateData{})...)
	if len(diags) < 5 {
		t.Errorf("errors are %v", diags)
	}
	for _, d := range diags {
		if d.Severity() != diag.SeverityError || strings.Count(d.Detail(), ". ")+strings.Count(d.Detail(), "; ") < 1 {
			t.Errorf("%s: %s", d.Summary(), d.Detail())
		}
	}
}
