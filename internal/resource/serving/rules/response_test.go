package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestRefreshIsQuiet: a response that is equivalent to the state does not change
// it, whatever its order and spelling, and the names of parties.
func TestRefreshIsQuiet(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]rules.Serving{
		"two parties": TwoParties(),
		"other names": InParty(InParty(TwoParties(), 0, Named("a")), 1, Named("the other")),
		"defaults":    ConfigOf(PartyOf("alice"), PartyOf("bob")),
		"recreate":    ConfigOf(PartyOf("alice", Recreate)),
		"01":          ConfigOf(PartyOf("alice", RollingUpdate("01", "007%"))),
	} {
		state := StateOf(config)
		response := ResponseTo(config)
		slices.Reverse(response.Parties)
		response.ServingInputConfig += "\n"
		for i := range response.Parties {
			response.Parties[i].Resources = slices.Clone(response.Parties[i].Resources)
			if s := response.Parties[i].UpdateStrategy; s.MaxSurge == "01" {
				s.MaxSurge = "1"
			}
		}
		got, private := rules.FromResponse(state, response, rules.Private{}, AnyReplicas(9))
		SameModel(t, got, state)
		if len(private.ObservedResources) > 0 || len(private.Containers) > 0 {
			t.Errorf("%s: private data are %+v", name, private)
		}
	}
}

// TestRefreshWithoutReplicas: the response leaves replicas out if they were
// never set; the state keeps its value, or gets that of the app image.
func TestRefreshWithoutReplicas(t *testing.T) {
	t.Parallel()
	config := ConfigOf(PartyOf("alice", Replicas(3)))
	response := ResponseTo(config)
	response.Parties[0].Replicas = nil
	got, _ := rules.FromResponse(StateOf(config), response, rules.Private{}, AnyReplicas(9))
	SameModel(t, got, StateOf(config))
	got, _ = rules.FromResponse(NullModel(), response, rules.Private{}, AnyReplicas(9))
	if parties := slices.Clone(got.Parties.Items); parties[0].Replicas.ValueInt32() != 9 {
		t.Errorf("replicas are %s", parties[0].Replicas)
	}
}

// TestRefreshWithoutStrategy: null, or an empty type, is the server's default.
func TestRefreshWithoutStrategy(t *testing.T) {
	t.Parallel()
	config := ConfigOf(PartyOf("alice"))
	for name, wire := range map[string]*kuscia.UpdateStrategy{"null": nil, "empty": {}, "bounds left out": {Type: "RollingUpdate"}} {
		response := ResponseTo(config)
		response.Parties[0].UpdateStrategy = wire
		got, _ := rules.FromResponse(StateOf(config), response, rules.Private{}, AnyReplicas(1))
		if changed := ChangedPaths(StateOf(config), got); len(changed) > 0 {
			t.Errorf("%s: %v changed", name, changed)
		}
	}
}

// TestDrift: a change outside of Terraform is a change of exactly that
// attribute, and the plan for the unchanged configuration reverts it or explains
// why it cannot.
func TestDrift(t *testing.T) {
	t.Parallel()
	three := int32(3)
	alice := func(edit func(*kuscia.ServingParty)) func(*kuscia.Serving) {
		return func(s *kuscia.Serving) { edit(&s.Parties[0]) }
	}
	for name, test := range map[string]struct {
		change func(*kuscia.Serving)
		want   string
		plan   Outcome
	}{
		"initiator":            {func(s *kuscia.Serving) { s.Initiator = "bob" }, "initiator", Replace},
		"serving_input_config": {func(s *kuscia.Serving) { s.ServingInputConfig = `{"model":2}` }, "serving_input_config", Update},
		"serving_input_config cleared": {func(s *kuscia.Serving) { s.ServingInputConfig = "" },
			"serving_input_config", Update},
		"app_image":           {alice(func(p *kuscia.ServingParty) { p.AppImage = "other" }), "parties.alice.app_image", Update},
		"replicas":            {alice(func(p *kuscia.ServingParty) { p.Replicas = &three }), "parties.alice.replicas", Update},
		"service_name_prefix": {alice(func(p *kuscia.ServingParty) { p.ServiceNamePrefix = "x" }), "parties.alice.service_name_prefix", Replace},
		"update_strategy":     {alice(func(p *kuscia.ServingParty) { p.UpdateStrategy.MaxSurge = "50%" }), "parties.alice.update_strategy", Update},
		"update_strategy type": {alice(func(p *kuscia.ServingParty) { *p.UpdateStrategy = kuscia.UpdateStrategy{Type: "Recreate"} }),
			"parties.alice.update_strategy", Update},
		"a resource":         {alice(func(p *kuscia.ServingParty) { p.Resources[1].MaxCPU = "3" }), "parties.alice.container_resources parties.alice.resources", Update},
		"a resource gone":    {alice(func(p *kuscia.ServingParty) { p.Resources[1].MaxCPU = "" }), "parties.alice.container_resources parties.alice.resources", Update},
		"a side gone":        {alice(func(p *kuscia.ServingParty) { p.Resources[1].MaxCPU, p.Resources[1].MaxMemory = "", "" }), "parties.alice.container_resources parties.alice.resources", Replace},
		"a resource of all":  {alice(func(p *kuscia.ServingParty) { p.Resources[0].MaxCPU, p.Resources[1].MaxCPU = "3", "3" }), "parties.alice.resources", Update},
		"all resources gone": {alice(func(p *kuscia.ServingParty) { p.Resources = nil }), "parties.alice.resources", Update},
		"a party more": {func(s *kuscia.Serving) {
			s.Parties = append(s.Parties, kuscia.ServingParty{DomainID: "bob", AppImage: "sf"})
		}, "parties", Replace},
		"a party less": {func(s *kuscia.Serving) { s.Parties = s.Parties[:1] }, "parties", Replace},
		"a role":       {alice(func(p *kuscia.ServingParty) { p.Role = "x" }), "", Replace},
		"endpoints": {func(s *kuscia.Serving) {
			s.Status = &kuscia.ServingStatusDetail{CreateTime: "2026-01-08T10:00:00Z", PartyStatuses: []kuscia.PartyStatus{{DomainID: "bob"}}}
		}, "endpoints", NoOp},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := TwoParties()
			state := StateOf(config)
			response := ResponseTo(config)
			test.change(response)
			got, private := rules.FromResponse(state, response, TwoPartiesPrivate(), AnyReplicas(1))
			if changed := ChangedPaths(state, got); test.want != "" && strings.Join(changed, " ") != test.want {
				t.Errorf("%v changed, want %s", changed, test.want)
			}
			if is, _, reasons := Classify(t, config, got, private, AllImages); is != test.plan {
				t.Errorf("the plan is %s %v, want %s", is, reasons, test.plan)
			}
		})
	}
}

// TestDriftOfResourcesNobodyConfigured is ignored.
func TestDriftOfResourcesNobodyConfigured(t *testing.T) {
	t.Parallel()
	config := ConfigOf(PartyOf("alice"))
	response := ResponseTo(config)
	response.Parties[0].Resources = []kuscia.Resource{WireResource("main", "1", "", "", "")}
	got, _ := rules.FromResponse(StateOf(config), response, rules.Private{}, AnyReplicas(1))
	SameModel(t, got, StateOf(config))
}

// TestRefreshNames: parties of the state keep their names, new ones get those of
// an import, and every party of the response is in the state.
func TestRefreshNames(t *testing.T) {
	t.Parallel()
	config := ConfigOf(PartyOf("a", Named("first")), PartyOf("b", Named("x")), PartyOf("c"))
	response := ResponseTo(config)
	response.Parties = []kuscia.ServingParty{{DomainID: "y", Role: "r"}, {DomainID: "c"}, {DomainID: "x"}, {DomainID: "c"}, {DomainID: "a"}}
	got, _ := rules.FromResponse(StateOf(config), response, rules.Private{}, AnyReplicas(1))
	var names []string
	for _, p := range got.Parties.Items {
		names = append(names, p.Name+" "+p.Key().String())
	}
	if want := []string{"c c/", "c#2 c/", "first a/", "x x/", "y/r y/r"}; !slices.Equal(names, want) {
		t.Errorf("the parties are %q, want %q", names, want)
	}
}

// TestImport: a first read has everything that Kuscia returns, and marks its
// resources as read.
func TestImport(t *testing.T) {
	t.Parallel()
	config := TwoParties()
	response := ResponseTo(config)
	bare := NullModel()
	bare.ServingID = types.StringValue("glm")
	got, private := rules.FromResponse(bare, response, rules.Private{Imported: true}, AnyReplicas(1))

	want := StateOf(config)
	want.CreateTime, want.Endpoints, want.RolloutComplete = types.StringNull(), types.MapValueMust(rules.EndpointType, nil), types.BoolNull()
	want.Parties = rules.PartiesOf(func() []rules.Party {
		parties := slices.Clone(want.Parties.Items)
		parties[0].Image, parties[1].Image = types.StringNull(), types.StringNull() // which rules.Refresh completes
		parties[0].Role = types.StringNull()
		parties[1].DomainID, parties[1].Name = types.StringValue("bob"), "bob/server"
		parties[0].Resources = ResourcesOf(ContainerResources("main", "500m", "2", "1Gi", "2Gi"), ContainerResources("side", "500m", "2", "1Gi", "2Gi"))
		parties[1].Resources = ResourcesOf(ContainerResources("main", "100m", "1", "1536Mi", "2Gi"), ContainerResources("side", "100m", "", "", ""))
		return parties
	}()...)
	SameModel(t, got, want)
	if !slices.Equal(private.ObservedResources, []string{"alice/", "bob/server"}) || !private.Imported {
		t.Errorf("private data are %+v", private)
	}
	if stored := private.ContainersOf(party.Key{DomainID: "alice", Role: ""}); !slices.Equal(stored, []string{"main", "side"}) {
		t.Errorf("stored containers are %v", stored)
	}
	if is, planned, reasons := Classify(t, InParty(config, 1, Named("bob/server")), got, private, AllImages); is != NoOp {
		t.Errorf("the first plan is %s %v: %v", is, reasons, ChangedPaths(got, planned))
	}
	again, private2 := rules.FromResponse(got, response, private, AnyReplicas(1))
	SameModel(t, again, got)
	if len(private2.ObservedResources) != 2 {
		t.Errorf("a second read marks %v", private2.ObservedResources)
	}
}

// TestImportWithoutResources: nothing to read, nothing to mark.
func TestImportWithoutResources(t *testing.T) {
	t.Parallel()
	config := ConfigOf(PartyOf("alice"))
	got, private := rules.FromResponse(NullModel(), ResponseTo(config), rules.Private{Imported: true}, AnyReplicas(1))
	if len(private.ObservedResources) > 0 || len(private.Containers) > 0 {
		t.Errorf("private data are %+v", private)
	}
	parties := slices.Clone(got.Parties.Items)
	if !parties[0].Resources.Equal(rules.Resources{}) {
		t.Errorf("resources are %v", parties[0].Resources)
	}
}

// TestNewPartyIsRead: a party that is not in the state is read as after an
// import: its resources may be the app image's own.
func TestNewPartyIsRead(t *testing.T) {
	t.Parallel()
	config := ConfigOf(PartyOf("alice"))
	both := ConfigOf(PartyOf("alice"), PartyOf("bob"))
	response := ResponseTo(both)
	response.Parties[1].Resources = []kuscia.Resource{WireResource("main", "1", "", "", "")}
	got, private := rules.FromResponse(StateOf(config), response, rules.Private{}, AnyReplicas(1))
	if is, _, reasons := Classify(t, both, got, private, AllImages); is != NoOp {
		t.Errorf("the plan with the new party is %s %v", is, reasons)
	}
}

// TestComputed: the values that only the status has, whatever its order; without a status
// the known values are kept.
func TestComputed(t *testing.T) {
	t.Parallel()
	status := func(order []int) *kuscia.ServingStatusDetail {
		all := []kuscia.PartyStatus{
			{DomainID: "bob", Role: "server", Endpoints: []kuscia.Endpoint{{PortName: "b", Scope: "Domain", Endpoint: "b:1"}, {PortName: "a", Scope: "Cluster", Endpoint: "a"}}},
			{DomainID: "alice", Role: "x", Endpoints: []kuscia.Endpoint{{PortName: "a", Scope: "Domain", Endpoint: "e"}, {PortName: "a", Scope: "Cluster", Endpoint: "e"}}},
			{DomainID: "alice", Endpoints: []kuscia.Endpoint{{Endpoint: "old"}, {Endpoint: "older"}}},
			{DomainID: "carol"},
		}
		detail := &kuscia.ServingStatusDetail{CreateTime: "2026-01-01T00:00:00Z"}
		for _, i := range order {
			detail.PartyStatuses = append(detail.PartyStatuses, all[i])
		}
		return detail
	}
	first, created := rules.RefreshComputed(rules.Serving{Attributes: rules.Attributes{Endpoints: types.MapUnknown(rules.EndpointType)}}, status([]int{0, 1, 2, 3}))
	second, _ := rules.RefreshComputed(rules.Serving{Attributes: rules.Attributes{Endpoints: types.MapUnknown(rules.EndpointType)}}, status([]int{3, 2, 1, 0}))
	if !first.Equal(second) {
		t.Errorf("the order of the response matters: %s and %s", first, second)
	}
	var got []string
	for key, e := range first.Elements() {
		a := e.(types.Object).Attributes()
		got = append(got, strings.Join([]string{key, TextOf(a["domain_id"]), TextOf(a["role"]), TextOf(a["port_name"]), TextOf(a["scope"]), TextOf(a["endpoint"])}, ","))
	}
	slices.Sort(got)
	if want := []string{
		"alice/old,alice,,,,old", "alice/older,alice,,,,older", "alice/x/a,alice,x,a,Cluster,e", "alice/x/a/,alice,x,a,Domain,e",
		"bob/server/a,bob,server,a,Cluster,a", "bob/server/b,bob,server,b,Domain,b:1",
	}; !slices.Equal(got, want) {
		t.Errorf("endpoints are %v, want %v", got, want)
	}
	if created.ValueString() != "2026-01-01T00:00:00Z" {
		t.Errorf("create_time is %s", created)
	}

	known := rules.Serving{Attributes: rules.Attributes{Endpoints: first, CreateTime: created}}
	if endpoints, created := rules.RefreshComputed(known, nil); !endpoints.Equal(first) || created.ValueString() == "" {
		t.Errorf("without a status they become %s and %s", endpoints, created)
	}
	if endpoints, created := rules.RefreshComputed(rules.Serving{Attributes: rules.Attributes{Endpoints: types.MapUnknown(rules.EndpointType), CreateTime: types.StringUnknown()}}, nil); endpoints.IsUnknown() || endpoints.IsNull() || !created.IsNull() {
		t.Errorf("without anything they are %s and %s", endpoints, created)
	}
}

// TestRefreshConfigText: JSON with the same content keeps the configured
// spelling.
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
		config := ConfigOf(PartyOf("alice"))
		state := StateOf(config)
		state.ServingInputConfig = types.StringValue(test.state)
		response := ResponseTo(config)
		response.ServingInputConfig = test.answer
		got, _ := rules.FromResponse(state, response, rules.Private{}, AnyReplicas(1))
		if got.ServingInputConfig.ValueString() != test.want {
			t.Errorf("%s: %q, want %q", name, got.ServingInputConfig.ValueString(), test.want)
		}
	}
	got, _ := rules.FromResponse(NullModel(), &kuscia.Serving{}, rules.Private{}, AnyReplicas(1))
	if !got.ServingInputConfig.IsNull() {
		t.Error("an empty text is not null after an import")
	}
}

// TestCanonicalResources: the state for a response that has one entry per container, in
// canonical quantities.
func TestCanonicalResources(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		state  rules.Resources
		answer []kuscia.Resource
		stored []string
		// shown is nil if the state does not change.
		shown *rules.Resources
	}{
		"common": {
			ResourcesOf(ContainerResources("", "0.1", "1000m", "1024Mi", "1.5Gi")),
			[]kuscia.Resource{WireResource("main", "100m", "1", "1Gi", "1536Mi"), WireResource("side", "100m", "1", "1Gi", "1536Mi")}, nil, nil,
		},
		"named": {
			ResourcesOf(ContainerResources("side", "0.5", "", "", ""), ContainerResources("main", "", "1.50", "", "128974848000m")),
			[]kuscia.Resource{WireResource("main", "", "1500m", "", "128974848"), WireResource("side", "500m", "", "", "")}, nil, nil,
		},
		"both": {
			ResourcesOf(ContainerResources("", "0.0001", "", "1024Ki", ""), ContainerResources("side", "1e3", "", "", "+1")),
			[]kuscia.Resource{WireResource("main", "100u", "", "1Mi", ""), WireResource("side", "1e3", "", "1Mi", "1")}, nil, nil,
		},
		"zero": {
			ResourcesOf(ContainerResources("", "0", "0.0", "0Gi", "0")),
			[]kuscia.Resource{WireResource("main", "0", "0", "0", "0")}, nil, nil,
		},
		"not asked for, the app image has its own": {
			ResourcesOf(), []kuscia.Resource{WireResource("main", "1", "", "", ""), WireResource("side", "", "", "", "")}, nil, nil,
		},
		"a newer app image has another container with values of its own": {
			ResourcesOf(ContainerResources("", "1", "", "", "")),
			[]kuscia.Resource{WireResource("main", "1", "", "", ""), WireResource("extra", "7", "", "", "")}, []string{"main"}, nil,
		},
		"the list of the old app image stays in the answer": {
			ResourcesOf(ContainerResources("", "1", "", "", "")),
			[]kuscia.Resource{WireResource("old", "1", "", "", ""), WireResource("new", "", "", "", "")}, []string{"old"}, nil,
		},
		"drift of one value": {
			ResourcesOf(ContainerResources("", "1", "2", "", "")),
			[]kuscia.Resource{WireResource("main", "1", "2", "", ""), WireResource("side", "1", "3", "", "")}, []string{"main", "side"},
			new(ResourcesOf(ContainerResources("main", "1", "2", "", ""), ContainerResources("side", "1", "3", "", ""))),
		},
		"a value more": {
			ResourcesOf(ContainerResources("main", "1", "", "", "")),
			[]kuscia.Resource{WireResource("main", "1", "2", "", "")}, []string{"main"},
			new(ResourcesOf(ContainerResources("main", "1", "2", "", ""))),
		},
		"all gone": {
			ResourcesOf(ContainerResources("main", "1", "", "", "")), []kuscia.Resource{WireResource("main", "", "", "", "")}, []string{"main"},
			&rules.Resources{},
		},
		"container gone": {
			ResourcesOf(ContainerResources("main", "1", "", "", ""), ContainerResources("side", "1", "", "", "")), []kuscia.Resource{WireResource("main", "1", "", "", "")}, nil,
			new(ResourcesOf(ContainerResources("main", "1", "", "", ""))),
		},
		"no answer at all": {ResourcesOf(ContainerResources("main", "1", "", "", "")), nil, []string{"main"}, &rules.Resources{}},
	} {
		old := PartyOf("alice", Role(""), func(p *rules.Party) { p.Resources = test.state })
		private := rules.Private{}
		if test.stored != nil {
			private = private.WithContainers(old.Key(), test.stored)
		}
		want := test.state
		if test.shown != nil {
			want = *test.shown
		}
		got := rules.RefreshResources(old, test.answer, private)
		if !got.Equal(want) {
			t.Errorf("%s: shown is %v, want %v", name, got, want)
		}
	}
}
