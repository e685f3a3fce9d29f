package serving

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

func created(t *testing.T, config model) string {
	t.Helper()
	var diags diag.Diagnostics
	request := createRequest(planCreate(config), &diags)
	noDiags(t, diags)
	return asJSON(t, request)
}

// TestCreateRequest: a create says everything, in the user's spelling, and
// leaves out what asks for nothing.
func TestCreateRequest(t *testing.T) {
	t.Parallel()
	if got, want := created(t, twoParties()), `{"serving_id":"glm","serving_input_config":"{\"model\": 1}","initiator":"alice","parties":[`+
		`{"domain_id":"alice","app_image":"sf","replicas":2,"update_strategy":{"type":"RollingUpdate","max_surge":"25%","max_unavailable":"25%"},`+
		`"resources":[{"container_name":"","min_cpu":"0.5","max_cpu":"2","min_memory":"1Gi","max_memory":"2Gi"}],"service_name_prefix":"glm"},`+
		`{"domain_id":"bob","role":"server","app_image":"sf","replicas":1,"update_strategy":{"type":"RollingUpdate","max_surge":"1","max_unavailable":"0"},`+
		`"resources":[{"container_name":"main","min_cpu":"0.1","max_cpu":"1","min_memory":"1.5Gi","max_memory":"2Gi"},{"container_name":"side","min_cpu":"100m"}]}],`+
		`"affinity_mode":"anti-affinity"}`; got != want {
		t.Errorf("it is\n%s\nwant\n%s", got, want)
	}
	minimal := configOf(partyOf("alice"))
	minimal.ServingInputConfig = tfvalue.NewConfigTextNull()
	if got, want := created(t, minimal), `{"serving_id":"glm","initiator":"alice","parties":[`+
		`{"domain_id":"alice","app_image":"sf","replicas":1,"update_strategy":{"type":"RollingUpdate","max_surge":"25%","max_unavailable":"25%"}}],`+
		`"affinity_mode":"anti-affinity"}`; got != want {
		t.Errorf("it is\n%s\nwant\n%s", got, want)
	}
}

// TestValueContract: null, empty and default of each attribute, on the wire of
// a create.
func TestValueContract(t *testing.T) {
	t.Parallel()
	base := configOf(partyOf("alice"))
	base.ServingInputConfig = tfvalue.NewConfigTextNull()
	whole := func(change func(*model)) model { m := base; change(&m); return m }
	for name, test := range map[string]struct {
		config  model
		has     []string
		hasNone []string
	}{
		"serving_input_config null":  {base, nil, []string{"serving_input_config"}},
		"serving_input_config empty": {whole(func(m *model) { m.ServingInputConfig = tfvalue.NewConfigTextValue("") }), nil, []string{"serving_input_config"}},
		"serving_input_config space": {whole(func(m *model) { m.ServingInputConfig = tfvalue.NewConfigTextValue(" ") }), []string{`"serving_input_config":" "`}, nil},
		"affinity_mode null":         {base, []string{`"affinity_mode":"anti-affinity"`}, nil},
		"affinity_mode none":         {whole(func(m *model) { m.AffinityMode = types.StringValue("none") }), []string{`"affinity_mode":"none"`}, nil},
		"role null":                  {base, nil, []string{`"role"`}},
		"role empty":                 {inParty(base, 0, role("")), nil, []string{`"role"`}},
		"role":                       {inParty(base, 0, role("r")), []string{`"role":"r"`}, nil},
		"replicas null":              {base, []string{`"replicas":1`}, nil},
		"replicas":                   {inParty(base, 0, replicas(3)), []string{`"replicas":3`}, nil},
		"prefix null":                {base, nil, []string{"service_name_prefix"}},
		"prefix empty":               {inParty(base, 0, prefix("")), nil, []string{"service_name_prefix"}},
		"strategy null":              {base, []string{`"update_strategy":{"type":"RollingUpdate","max_surge":"25%","max_unavailable":"25%"}`}, nil},
		"strategy empty":             {inParty(base, 0, func(p *party) { p.strategy = strategy{} }), []string{`"update_strategy":{"type":"RollingUpdate","max_surge":"25%","max_unavailable":"25%"}`}, nil},
		"one bound":                  {inParty(base, 0, rolling("2", "")), []string{`"update_strategy":{"type":"RollingUpdate","max_surge":"2","max_unavailable":"25%"}`}, nil},
		"recreate":                   {inParty(base, 0, recreate), []string{`"update_strategy":{"type":"Recreate"}`}, nil},
		"resources null":             {base, nil, []string{"resources"}},
		"resources empty":            {inParty(base, 0, asks()), nil, []string{"resources"}},
		"resources of nothing":       {inParty(base, 0, asks(of("", "", "", "", ""))), nil, []string{"resources"}},
		"container_name null":        {inParty(base, 0, asks(of("", "1", "", "", ""))), []string{`{"container_name":"","min_cpu":"1"}`}, nil},
		"container_name empty": {inParty(base, 0, func(p *party) {
			p.resources = listOf(containerResources{container: types.StringValue(""), minCPU: tfvalue.NewQuantityValue("1")})
		}), []string{`{"container_name":"","min_cpu":"1"}`}, nil},
		"zero":               {inParty(base, 0, asks(of("c", "", "", "0", ""))), []string{`{"container_name":"c","min_memory":"0"}`}, nil},
		"user's spelling":    {inParty(base, 0, asks(of("c", "0.10", "", "1024Mi", ""))), []string{`"min_cpu":"0.10","min_memory":"1024Mi"`}, nil},
		"nothing of our own": {whole(func(m *model) { m.RedeployTriggers, m.Timeouts = triggers("x"), createTimeout("1m") }), nil, []string{"trigger", "timeout", "wait"}},
	} {
		got := created(t, test.config)
		for _, part := range test.has {
			if !strings.Contains(got, part) {
				t.Errorf("%s: no %s in %s", name, part, got)
			}
		}
		for _, part := range test.hasNone {
			if strings.Contains(got, part) {
				t.Errorf("%s: %s is in %s", name, part, got)
			}
		}
	}
}

// TestUpdateRequest: an update has what changed and nothing else.
func TestUpdateRequest(t *testing.T) {
	t.Parallel()
	base := twoParties()
	for name, test := range map[string]struct {
		config  model
		private privateData
		want    string // "" is no request
	}{
		"nothing": {config: base},
		"spelling": {config: func() model {
			m := inParty(base, 0, asks(of("", "500m", "2", "1024Mi", "2Gi")))
			m.ServingInputConfig = tfvalue.NewConfigTextValue(`{"model":1}`)
			return inParties(m, func(p []party) []party { return []party{p[1], p[0]} })
		}()},
		"own attributes": {config: func() model {
			m := base
			m.RedeployTriggers, m.Timeouts, m.WaitForRollout = triggers("1"), createTimeout("1m"), types.BoolValue(false)
			return m
		}()},
		"serving_input_config": {config: func() model { m := base; m.ServingInputConfig = tfvalue.NewConfigTextValue("{}"); return m }(),
			want: `{"serving_id":"glm","serving_input_config":"{}"}`},
		"replicas":  {config: inParty(base, 0, replicas(3)), want: `{"serving_id":"glm","parties":[{"domain_id":"alice","replicas":3}]}`},
		"app_image": {config: inParty(base, 1, image("other")), want: `{"serving_id":"glm","parties":[{"domain_id":"bob","role":"server","app_image":"other"}]}`},
		"one bound": {config: inParty(base, 1, rolling("2", "0")),
			want: `{"serving_id":"glm","parties":[{"domain_id":"bob","role":"server","update_strategy":{"type":"RollingUpdate","max_surge":"2","max_unavailable":"0"}}]}`},
		"strategy to default": {config: inParty(base, 1, func(p *party) { p.strategy = strategy{null: true} }),
			want: `{"serving_id":"glm","parties":[{"domain_id":"bob","role":"server","update_strategy":{"type":"RollingUpdate","max_surge":"25%","max_unavailable":"25%"}}]}`},
		"recreate": {config: inParty(base, 1, recreate),
			want: `{"serving_id":"glm","parties":[{"domain_id":"bob","role":"server","update_strategy":{"type":"Recreate"}}]}`},
		"a value of all containers": {config: inParty(base, 0, asks(of("", "0.5", "3", "1024Mi", "2Gi"))),
			want: `{"serving_id":"glm","parties":[{"domain_id":"alice","resources":[{"container_name":"main","max_cpu":"3"},{"container_name":"side","max_cpu":"3"}]}]}`},
		"a value of one container": {config: inParty(base, 1, asks(of("main", "0.1", "1", "1.5Gi", "4Gi"), of("side", "100m", "", "", ""))),
			want: `{"serving_id":"glm","parties":[{"domain_id":"bob","role":"server","resources":[{"container_name":"main","max_memory":"4Gi"}]}]}`},
		"a value more": {config: inParty(base, 1, asks(of("main", "0.1", "1", "1.5Gi", "2Gi"), of("side", "100m", "", "1Gi", ""))),
			want: `{"serving_id":"glm","parties":[{"domain_id":"bob","role":"server","resources":[{"container_name":"side","min_memory":"1Gi"}]}]}`},
		"named over general": {config: inParty(base, 0, asks(of("", "0.5", "2", "1Gi", "2Gi"), of("side", "1", "", "", ""))),
			want: `{"serving_id":"glm","parties":[{"domain_id":"alice","resources":[{"container_name":"side","min_cpu":"1"}]}]}`},
		"everything of one": {config: inParty(base, 1, image("other"), replicas(5), rolling("3", "3"), asks(of("", "0.2", "", "", ""), of("main", "", "1", "1.5Gi", "2Gi"))),
			want: `{"serving_id":"glm","parties":[{"domain_id":"bob","role":"server","app_image":"other","replicas":5,` +
				`"update_strategy":{"type":"RollingUpdate","max_surge":"3","max_unavailable":"3"},` +
				`"resources":[{"container_name":"main","min_cpu":"0.2"},{"container_name":"side","min_cpu":"0.2"}]}]}`},
		"both parties, other order": {config: inParties(inParty(inParty(base, 0, replicas(3)), 1, replicas(4)), func(p []party) []party { return []party{p[1], p[0]} }),
			want: `{"serving_id":"glm","parties":[{"domain_id":"bob","role":"server","replicas":4},{"domain_id":"alice","replicas":3}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			prior := stateOf(base)
			got, planned, reasons := classify(t, test.config, prior, twoStored(), allImages)
			if got == replace {
				t.Fatalf("the plan replaces: %v", reasons)
			}
			var diags diag.Diagnostics
			request := updateRequest(planned, prior, twoStored(), &diags)
			noDiags(t, diags)
			switch {
			case request == nil && test.want != "":
				t.Error("there is no request")
			case request != nil && asJSON(t, request) != test.want:
				t.Errorf("it is\n%s\nwant\n%s", asJSON(t, request), test.want)
			}
		})
	}
}

// TestUpdateRequestOfResources are the cases in which it matters what is known
// of the resources that Kuscia stores.
func TestUpdateRequestOfResources(t *testing.T) {
	t.Parallel()
	stored := privateData{Containers: map[string][]string{"alice/": {"main", "side"}}}
	observed := stored
	observed.Observed = []string{"alice/"}
	for name, test := range map[string]struct {
		private       privateData
		before, after func(*party)
		want          string // the party's resources
	}{
		"first resources go out as written": {privateData{}, asks(), asks(of("", "0.50", "", "", ""), of("main", "", "1", "", "")),
			`[{"container_name":"","min_cpu":"0.50"},{"container_name":"main","max_cpu":"1"}]`},
		"observed ones go out whole, for it is not known whether they are stored": {observed,
			asks(of("main", "1", "2", "", ""), of("side", "1", "", "", "")), asks(of("main", "1", "3", "", ""), of("side", "1", "", "", "")),
			`[{"container_name":"main","min_cpu":"1","max_cpu":"3"},{"container_name":"side","min_cpu":"1"}]`},
		"containers not known, general value": {privateData{}, asks(of("", "1", "", "", "")), asks(of("", "2", "", "", "")),
			`[{"container_name":"","min_cpu":"2"}]`},
		"containers not known, the general value must not reach a named one": {privateData{},
			asks(of("", "1", "", "", ""), of("main", "3", "", "", "")), asks(of("", "2", "", "", ""), of("main", "3", "", "", "")),
			`[{"container_name":"","min_cpu":"2"},{"container_name":"main"}]`},
		"containers not known, both change": {privateData{},
			asks(of("", "1", "", "", ""), of("main", "", "", "3", "")), asks(of("", "2", "", "", ""), of("main", "", "", "4", "")),
			`[{"container_name":"","min_cpu":"2"},{"container_name":"main","min_cpu":"2","min_memory":"4"}]`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := configOf(partyOf("alice", test.before))
			prior := stateOf(config)
			edited := inParty(config, 0, test.after)
			got, planned, reasons := classify(t, edited, prior, test.private, allImages)
			if got != update {
				t.Fatalf("the plan is %s: %v", got, reasons)
			}
			var diags diag.Diagnostics
			request := updateRequest(planned, prior, test.private, &diags)
			noDiags(t, diags)
			if want := `{"serving_id":"glm","parties":[{"domain_id":"alice","resources":` + test.want + `}]}`; asJSON(t, request) != want {
				t.Errorf("it is\n%s\nwant\n%s", asJSON(t, request), want)
			}
		})
	}
}

// TestRequestsOfUnknown: what is still unknown is an error on its path, never
// a zero value.
func TestRequestsOfUnknown(t *testing.T) {
	t.Parallel()
	prior := stateOf(twoParties())
	for name, test := range map[string]struct {
		change func(*model)
		path   path.Path
	}{
		"serving_input_config": {func(m *model) { m.ServingInputConfig = tfvalue.NewConfigTextUnknown() }, path.Root("serving_input_config")},
		"parties":              {func(m *model) { m.Parties = unknownParties() }, path.Root("parties")},
		"app_image": {func(m *model) { *m = inParty(*m, 1, func(p *party) { p.appImage = types.StringUnknown() }) },
			path.Root("parties").AtListIndex(1)},
		"amount": {func(m *model) {
			*m = inParty(*m, 0, func(p *party) { p.resources.items[0].maxCPU = tfvalue.NewQuantityUnknown() })
		}, path.Root("parties").AtListIndex(0)},
	} {
		planned := prior
		test.change(&planned)
		for kind, build := range map[string]func(*diag.Diagnostics) bool{
			"create": func(diags *diag.Diagnostics) bool { return createRequest(planned, diags) == nil },
			"update": func(diags *diag.Diagnostics) bool { return updateRequest(planned, prior, twoStored(), diags) == nil },
		} {
			var diags diag.Diagnostics
			if none := build(&diags); !none {
				t.Errorf("%s with unknown %s: there is a request", kind, name)
			}
			if paths := errorPaths(diags); len(paths) != 1 || !paths[0].Equal(test.path) {
				t.Errorf("%s with unknown %s: errors at %v", kind, name, paths)
			}
		}
	}
	for name, change := range map[string]func(*model){
		"serving_id":    func(m *model) { m.ServingID = types.StringUnknown() },
		"initiator":     func(m *model) { m.Initiator = types.StringUnknown() },
		"affinity_mode": func(m *model) { m.AffinityMode = types.StringUnknown() },
	} {
		planned := prior
		change(&planned)
		var diags diag.Diagnostics
		if request := createRequest(planned, &diags); request != nil || !diags.HasError() {
			t.Errorf("create with unknown %s: %v, %v", name, request, diags)
		}
	}
}

// TestUpdateRefusesWhatBecameImpossible: a value that was unknown in the plan
// may turn out to be one that only a new serving can have. The update then
// fails before anything is sent, rather than leave the value out.
func TestUpdateRefusesWhatBecameImpossible(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		unknown, known func(*model)
		path           path.Path
	}{
		"serving_input_config empty": {
			func(m *model) { m.ServingInputConfig = tfvalue.NewConfigTextUnknown() },
			func(m *model) { m.ServingInputConfig = tfvalue.NewConfigTextValue("") }, path.Root("serving_input_config"),
		},
		"amount null": {
			func(m *model) {
				*m = inParty(*m, 1, func(p *party) { p.resources.items[0].maxCPU = tfvalue.NewQuantityUnknown() })
			},
			func(m *model) {
				*m = inParty(*m, 1, func(p *party) { p.resources.items[0].maxCPU = tfvalue.NewQuantityNull() })
			}, partiesPath(1, "resources"),
		},
		"amount zero": {
			func(m *model) {
				*m = inParty(*m, 1, func(p *party) { p.resources.items[1].minMemory = tfvalue.NewQuantityUnknown() })
			},
			func(m *model) {
				*m = inParty(*m, 1, func(p *party) { p.resources.items[1].minMemory = tfvalue.NewQuantityValue("0") })
			}, partiesPath(1, "resources"),
		},
	} {
		config := twoParties()
		prior := stateOf(config)
		open, closed := config, config
		test.unknown(&open)
		test.known(&closed)
		if got, _, reasons := classify(t, open, prior, twoStored(), allImages); got != update {
			t.Fatalf("%s: the plan is %s %v", name, got, reasons)
		}
		var diags diag.Diagnostics
		request := updateRequest(withDefaults(closed), prior, twoStored(), &diags)
		if paths := errorPaths(diags); request != nil || len(paths) != 1 || !paths[0].Equal(test.path) {
			t.Errorf("%s: request %v, errors at %v", name, request, paths)
		}
	}
}

// TestRespell: the same JSON, never the same text, time after time.
func TestRespell(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{}`, "{}\n", "{}\n\n", "{\n}", ` {"a":1} `, `1`, `{"a":1,"a":2}`, `"\ud800"`} {
		current := text
		for range 5 {
			next := respell(text, current)
			if next == current {
				t.Fatalf("%q stays %q", text, current)
			}
			if !tfvalue.ConfigTextEqual(next, text) {
				t.Fatalf("%q becomes %q", text, next)
			}
			current = next
		}
	}
	if got := respell(`{"a":2}`, `{"a":1}`); got != `{"a":2}` {
		t.Errorf("a new text is sent as %q", got)
	}
}

func TestRedeployable(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{`{}`: true, `[1]`: true, `"x"`: true, "": false, "plain": false, "{} x": false} {
		if got := redeployable(tfvalue.NewConfigTextValue(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if !redeployable(tfvalue.NewConfigTextUnknown()) {
		t.Error("an unknown text is refused before it is known")
	}
	if redeployable(tfvalue.NewConfigTextNull()) {
		t.Error("no text can be sent again")
	}
}
