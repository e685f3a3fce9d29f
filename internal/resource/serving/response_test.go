package serving

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// changedPaths names the attributes in which two states differ, down to the
// attribute of a party.
func changedPaths(before, after model) (changed []string) {
	for _, attribute := range attributePairs(before, after) {
		if attribute.a.Equal(attribute.b) {
			continue
		}
		if attribute.name != "parties" {
			changed = append(changed, attribute.name)
			continue
		}
		old, now := before.Parties.encode().Elements(), after.Parties.encode().Elements()
		if len(old) != len(now) {
			changed = append(changed, "parties")
			continue
		}
		for i := range old {
			was, is := old[i].(types.Object).Attributes(), now[i].(types.Object).Attributes()
			for name := range was {
				if !was[name].Equal(is[name]) {
					changed = append(changed, "parties."+was["domain_id"].(types.String).ValueString()+"."+name)
				}
			}
		}
	}
	slices.Sort(changed)
	return changed
}

// TestRefreshIsQuiet: an answer that means what the state says leaves it to
// the letter, whatever its order and spelling.
func TestRefreshIsQuiet(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]model{
		"two parties": twoParties(),
		"other order": inParties(twoParties(), func(p []party) []party { return []party{p[1], p[0]} }),
		"defaults":    configOf(partyOf("alice"), partyOf("bob")),
		"recreate":    configOf(partyOf("alice", recreate)),
		"01":          configOf(partyOf("alice", rolling("01", "007%"))),
	} {
		state := stateOf(config)
		answer := answerTo(config)
		slices.Reverse(answer.Parties)
		answer.ServingInputConfig += "\n"
		for i := range answer.Parties {
			answer.Parties[i].Resources = slices.Clone(answer.Parties[i].Resources)
			if s := answer.Parties[i].UpdateStrategy; s.MaxSurge == "01" {
				s.MaxSurge = "1"
			}
		}
		got, private := refresh(state, answer, privateData{}, anyReplicas(9))
		sameModel(t, got, state)
		if len(private.Observed) > 0 || len(private.Containers) > 0 {
			t.Errorf("%s: private data are %+v", name, private)
		}
	}
}

// TestRefreshWithoutReplicas: the answer leaves replicas out when they were
// never set; the state keeps what it has, or asks the app image.
func TestRefreshWithoutReplicas(t *testing.T) {
	t.Parallel()
	config := configOf(partyOf("alice", replicas(3)))
	answer := answerTo(config)
	answer.Parties[0].Replicas = nil
	got, _ := refresh(stateOf(config), answer, privateData{}, anyReplicas(9))
	sameModel(t, got, stateOf(config))
	got, _ = refresh(nullModel(), answer, privateData{}, anyReplicas(9))
	if parties := slices.Clone(got.Parties.items); parties[0].replicas.ValueInt32() != 9 {
		t.Errorf("replicas are %s", parties[0].replicas)
	}
}

// TestRefreshWithoutStrategy: null, or an empty type, is the server's default.
func TestRefreshWithoutStrategy(t *testing.T) {
	t.Parallel()
	config := configOf(partyOf("alice"))
	for name, wire := range map[string]*kuscia.UpdateStrategy{"null": nil, "empty": {}, "bounds left out": {Type: "RollingUpdate"}} {
		answer := answerTo(config)
		answer.Parties[0].UpdateStrategy = wire
		got, _ := refresh(stateOf(config), answer, privateData{}, anyReplicas(1))
		if changed := changedPaths(stateOf(config), got); len(changed) > 0 {
			t.Errorf("%s: %v changed", name, changed)
		}
	}
}

// TestDrift: what was changed behind Terraform's back shows as exactly that
// attribute, and the plan against the unchanged configuration puts it back or
// says that it cannot.
func TestDrift(t *testing.T) {
	t.Parallel()
	three := int32(3)
	alice := func(edit func(*kuscia.ServingParty)) func(*kuscia.Serving) {
		return func(s *kuscia.Serving) { edit(&s.Parties[0]) }
	}
	for name, test := range map[string]struct {
		change func(*kuscia.Serving)
		want   string
		plan   class
	}{
		"initiator":            {func(s *kuscia.Serving) { s.Initiator = "bob" }, "initiator", replace},
		"serving_input_config": {func(s *kuscia.Serving) { s.ServingInputConfig = `{"model":2}` }, "serving_input_config", update},
		"serving_input_config cleared": {func(s *kuscia.Serving) { s.ServingInputConfig = "" },
			"serving_input_config", update},
		"app_image":           {alice(func(p *kuscia.ServingParty) { p.AppImage = "other" }), "parties.alice.app_image", update},
		"replicas":            {alice(func(p *kuscia.ServingParty) { p.Replicas = &three }), "parties.alice.replicas", update},
		"service_name_prefix": {alice(func(p *kuscia.ServingParty) { p.ServiceNamePrefix = "x" }), "parties.alice.service_name_prefix", replace},
		"update_strategy":     {alice(func(p *kuscia.ServingParty) { p.UpdateStrategy.MaxSurge = "50%" }), "parties.alice.update_strategy", update},
		"update_strategy type": {alice(func(p *kuscia.ServingParty) { *p.UpdateStrategy = kuscia.UpdateStrategy{Type: "Recreate"} }),
			"parties.alice.update_strategy", update},
		"a resource":         {alice(func(p *kuscia.ServingParty) { p.Resources[1].MaxCPU = "3" }), "parties.alice.resources", update},
		"a resource gone":    {alice(func(p *kuscia.ServingParty) { p.Resources[1].MaxCPU = "" }), "parties.alice.resources", update},
		"a side gone":        {alice(func(p *kuscia.ServingParty) { p.Resources[1].MaxCPU, p.Resources[1].MaxMemory = "", "" }), "parties.alice.resources", replace},
		"all resources gone": {alice(func(p *kuscia.ServingParty) { p.Resources = nil }), "parties.alice.resources", update},
		"a party more": {func(s *kuscia.Serving) {
			s.Parties = append(s.Parties, kuscia.ServingParty{DomainID: "bob", AppImage: "sf"})
		}, "parties", replace},
		"a party less": {func(s *kuscia.Serving) { s.Parties = s.Parties[:1] }, "parties", replace},
		"a role":       {alice(func(p *kuscia.ServingParty) { p.Role = "x" }), "", replace},
		"endpoints": {func(s *kuscia.Serving) {
			s.Status = &kuscia.ServingStatusDetail{CreateTime: "2026-01-08T10:00:00Z", PartyStatuses: []kuscia.PartyStatus{{DomainID: "bob"}}}
		}, "endpoints", nothing},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := twoParties()
			state := stateOf(config)
			answer := answerTo(config)
			test.change(answer)
			got, private := refresh(state, answer, twoStored(), anyReplicas(1))
			if changed := changedPaths(state, got); test.want != "" && !slices.Equal(changed, []string{test.want}) {
				t.Errorf("%v changed, want %s", changed, test.want)
			}
			if is, _, reasons := classify(t, config, got, private, allImages); is != test.plan {
				t.Errorf("the plan is %s %v, want %s", is, reasons, test.plan)
			}
		})
	}
}

// TestDriftOfResourcesNobodyConfigured is ignored.
func TestDriftOfResourcesNobodyConfigured(t *testing.T) {
	t.Parallel()
	config := configOf(partyOf("alice"))
	answer := answerTo(config)
	answer.Parties[0].Resources = []kuscia.Resource{entry("main", "1", "", "", "")}
	got, _ := refresh(stateOf(config), answer, privateData{}, anyReplicas(1))
	sameModel(t, got, stateOf(config))
}

// TestRefreshOrder: parties of the state first and in its order, new ones
// after them in the order of the answer.
func TestRefreshOrder(t *testing.T) {
	t.Parallel()
	config := configOf(partyOf("a"), partyOf("b"), partyOf("c"))
	answer := answerTo(config)
	parties := answer.Parties
	answer.Parties = []kuscia.ServingParty{{DomainID: "y"}, parties[2], {DomainID: "x"}, parties[0]}
	got, _ := refresh(stateOf(config), answer, privateData{}, anyReplicas(1))
	var order []string
	after := slices.Clone(got.Parties.items)
	for _, p := range after {
		order = append(order, p.domainID.ValueString())
	}
	if want := []string{"a", "c", "y", "x"}; !slices.Equal(order, want) {
		t.Errorf("order is %v, want %v", order, want)
	}
	if answer.Parties[0].DomainID != "y" {
		t.Error("the answer was changed")
	}
}

// TestImport: a serving read for the first time shows everything that Kuscia
// tells, with what it shows of resources marked as read.
func TestImport(t *testing.T) {
	t.Parallel()
	config := twoParties()
	answer := answerTo(config)
	bare := nullModel()
	bare.ServingID = types.StringValue("glm")
	got, private := refresh(bare, answer, privateData{Imported: true}, anyReplicas(1))

	want := stateOf(config)
	want.CreateTime, want.Endpoints, want.RolloutComplete = types.StringNull(), types.ListValueMust(endpointType, nil), types.BoolNull()
	want.Parties = partiesOf(func() []party {
		parties := slices.Clone(want.Parties.items)
		parties[0].resources = listOf(of("main", "500m", "2", "1Gi", "2Gi"), of("side", "500m", "2", "1Gi", "2Gi"))
		parties[1].resources = listOf(of("main", "100m", "1", "1536Mi", "2Gi"), of("side", "100m", "", "", ""))
		return parties
	}()...)
	sameModel(t, got, want)
	if !slices.Equal(private.Observed, []string{"alice/", "bob/server"}) || !private.Imported || !private.ObservedConfig {
		t.Errorf("private data are %+v", private)
	}
	if stored := private.containers(partyKey{"alice", ""}); !slices.Equal(stored, []string{"main", "side"}) {
		t.Errorf("stored containers are %v", stored)
	}
	if is, planned, reasons := classify(t, config, got, private, allImages); is != nothing {
		t.Errorf("the first plan is %s %v: %v", is, reasons, changedPaths(got, planned))
	}
	again, private2 := refresh(got, answer, private, anyReplicas(1))
	sameModel(t, again, got)
	if len(private2.Observed) != 2 {
		t.Errorf("a second read marks %v", private2.Observed)
	}
}

// TestImportWithoutResources: nothing to show, nothing to mark.
func TestImportWithoutResources(t *testing.T) {
	t.Parallel()
	config := configOf(partyOf("alice"))
	got, private := refresh(nullModel(), answerTo(config), privateData{Imported: true}, anyReplicas(1))
	if len(private.Observed) > 0 || len(private.Containers) > 0 {
		t.Errorf("private data are %+v", private)
	}
	parties := slices.Clone(got.Parties.items)
	if parties[0].resources.null || len(parties[0].resources.items) > 0 {
		t.Errorf("resources are %v", parties[0].resources)
	}
}

// TestNewPartyIsRead: a party that the state did not have is read as after an
// import: what it shows of resources may be the app image's own.
func TestNewPartyIsRead(t *testing.T) {
	t.Parallel()
	config := configOf(partyOf("alice"))
	both := configOf(partyOf("alice"), partyOf("bob"))
	answer := answerTo(both)
	answer.Parties[1].Resources = []kuscia.Resource{entry("main", "1", "", "", "")}
	got, private := refresh(stateOf(config), answer, privateData{}, anyReplicas(1))
	if is, _, reasons := classify(t, both, got, private, allImages); is != nothing {
		t.Errorf("taking over the new party is %s %v", is, reasons)
	}
}

// TestComputed: what only the status has, sorted; a status that is not there
// leaves what was known.
func TestComputed(t *testing.T) {
	t.Parallel()
	status := func(order []int) *kuscia.ServingStatusDetail {
		all := []kuscia.PartyStatus{
			{DomainID: "bob", Role: "server", Endpoints: []kuscia.Endpoint{{PortName: "b", Scope: "Domain", Endpoint: "b:1"}, {PortName: "a", Scope: "Cluster", Endpoint: "a"}}},
			{DomainID: "alice", Role: "x", Endpoints: []kuscia.Endpoint{{PortName: "a", Scope: "Cluster", Endpoint: "e"}}},
			{DomainID: "alice", Endpoints: []kuscia.Endpoint{{Endpoint: "old"}, {Endpoint: "older"}}},
			{DomainID: "carol"},
		}
		detail := &kuscia.ServingStatusDetail{CreateTime: "2026-01-01T00:00:00Z"}
		for _, i := range order {
			detail.PartyStatuses = append(detail.PartyStatuses, all[i])
		}
		return detail
	}
	first, created := refreshComputed(model{attributes: attributes{Endpoints: types.ListUnknown(endpointType)}}, status([]int{0, 1, 2, 3}))
	second, _ := refreshComputed(model{attributes: attributes{Endpoints: types.ListUnknown(endpointType)}}, status([]int{3, 2, 1, 0}))
	if !first.Equal(second) {
		t.Errorf("the order of the answer shows: %s and %s", first, second)
	}
	var got []string
	for _, e := range first.Elements() {
		a := e.(types.Object).Attributes()
		got = append(got, strings.Join([]string{text(a["domain_id"]), text(a["role"]), text(a["port_name"]), text(a["scope"]), text(a["endpoint"])}, ","))
	}
	if want := []string{"alice,,,,old", "alice,,,,older", "alice,x,a,Cluster,e", "bob,server,a,Cluster,a", "bob,server,b,Domain,b:1"}; !slices.Equal(got, want) {
		t.Errorf("endpoints are %v, want %v", got, want)
	}
	if created.ValueString() != "2026-01-01T00:00:00Z" {
		t.Errorf("create_time is %s", created)
	}

	known := model{attributes: attributes{Endpoints: first, CreateTime: created}}
	if endpoints, created := refreshComputed(known, nil); !endpoints.Equal(first) || created.ValueString() == "" {
		t.Errorf("without a status they become %s and %s", endpoints, created)
	}
	if endpoints, created := refreshComputed(model{attributes: attributes{Endpoints: types.ListUnknown(endpointType), CreateTime: types.StringUnknown()}}, nil); endpoints.IsUnknown() || endpoints.IsNull() || !created.IsNull() {
		t.Errorf("without anything they are %s and %s", endpoints, created)
	}
}

func text(value attr.Value) string { return value.(types.String).ValueString() }

// TestRefreshConfigText: JSON of the same content keeps the user's spelling.
func TestRefreshConfigText(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ state, answer, want string }{
		"same":          {"x", "x", "x"},
		"json":          {`{"a": 1}`, "{\"a\":1}\n", `{"a": 1}`},
		"other json":    {`{"a": 1}`, `{"a":2}`, `{"a":2}`},
		"text":          {"x", "x\n", "x\n"},
		"cleared":       {"x", "", ""},
		"was not there": {"", "{}", "{}"},
	} {
		config := configOf(partyOf("alice"))
		state := stateOf(config)
		state.ServingInputConfig = tfvalue.NewConfigTextValue(test.state)
		answer := answerTo(config)
		answer.ServingInputConfig = test.answer
		got, _ := refresh(state, answer, privateData{}, anyReplicas(1))
		if got.ServingInputConfig.ValueString() != test.want {
			t.Errorf("%s: %q, want %q", name, got.ServingInputConfig.ValueString(), test.want)
		}
	}
	got, _ := refresh(nullModel(), &kuscia.Serving{}, privateData{}, anyReplicas(1))
	if got.ServingInputConfig.IsNull() {
		t.Error("an empty text is null after an import")
	}
}
