package serving

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// TestJudge: a new serving must not be what Kuscia stores and never runs. To
// validate it is no error: an imported serving may be like that.
func TestJudge(t *testing.T) {
	t.Parallel()
	resource0 := partiesPath(0, "resources").AtListIndex(0)
	for name, test := range map[string]struct {
		config model
		paths  []path.Path // none is valid
		says   string
	}{
		"everything":              {config: twoParties()},
		"minimal":                 {config: configOf(partyOf("alice"))},
		"cannot move":             {configOf(partyOf("alice", rolling("0", "0"))), []path.Path{partiesPath(0, "update_strategy")}, "both zero"},
		"cannot move, percent":    {configOf(partyOf("alice", rolling("0%", "0"))), []path.Path{partiesPath(0, "update_strategy")}, "both zero"},
		"surge zero":              {config: configOf(partyOf("alice", rolling("0", "1")))},
		"no replicas":             {configOf(partyOf("alice"), partyOf("bob", replicas(0))), []path.Path{partiesPath(1, "replicas")}, "replicas is 0; it must be at least 1"},
		"below zero":              {configOf(partyOf("alice", replicas(-1))), []path.Path{partiesPath(0, "replicas")}, "replicas is -1"},
		"unknown":                 {config: configOf(partyOf("alice", func(p *party) { p.replicas = types.Int32Unknown() }), party{unknown: true})},
		"negative":                {configOf(partyOf("alice", asks(of("", "", "", "", "-1Gi")))), []path.Path{resource0.AtName("max_memory")}, `"-1Gi" is below zero`},
		"negative beside unknown": {configOf(partyOf("alice", asks(containerResources{minCPU: tfvalue.NewQuantityUnknown(), maxCPU: tfvalue.NewQuantityValue("-1")}))), []path.Path{resource0.AtName("max_cpu")}, "below zero"},
		"memory for CPU":          {configOf(partyOf("alice", asks(of("", "100Mi", "", "", "")))), []path.Path{resource0.AtName("min_cpu")}, "more than any node has"},
		"cpu":                     {configOf(partyOf("alice", asks(of("", "2", "1999m", "", "")))), []path.Path{partiesPath(0, "resources").AtListIndex(0), partiesPath(0, "resources")}, "min_cpu 2 is more than max_cpu 1999m"},
		"above together": {configOf(partyOf("alice", asks(of("", "", "", "", "1Gi"), of("c", "", "", "2Gi", "")))), []path.Path{partiesPath(0, "resources")},
			`container "c", min_memory 2Gi is more than max_memory 1Gi`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			noDiags(t, validate(test.config))
			wantErrors(t, judge(test.config, nil, nil, privateData{}), test.paths, test.says)
		})
	}
}

// TestJudgeExcuses: what is wrong in the state already and stays as it is
// becomes a warning, and remains an error where it changes, where the update
// would wait for it in vain, and in a new serving.
func TestJudgeExcuses(t *testing.T) {
	t.Parallel()
	wrong := configOf(
		partyOf("alice", replicas(0), rolling("0", "0")),
		partyOf("bob", asks(of("main", "4", "2", "-1Gi", ""))),
	)
	state := stateOf(wrong)
	edit := func(edits ...func(*model)) model {
		m := wrong
		m.ServingInputConfig, m.WaitForRollout = tfvalue.NewConfigTextValue(`{"model": 2}`), types.BoolValue(false)
		for _, e := range edits {
			e(&m)
		}
		return m
	}
	inAlice := func(change func(*party)) func(*model) { return func(m *model) { *m = inParty(*m, 0, change) } }
	inBob := func(change func(*party)) func(*model) { return func(m *model) { *m = inParty(*m, 1, change) } }
	all := []path.Path{partiesPath(0, "replicas"), partiesPath(0, "update_strategy"),
		partiesPath(1, "resources").AtListIndex(0).AtName("min_memory"), partiesPath(1, "resources").AtListIndex(0)}
	for name, test := range map[string]struct {
		config   model
		errors   []path.Path
		warnings int
	}{
		"left alone":   {edit(), nil, 4},
		"other order":  {edit(func(m *model) { *m = inParties(*m, func(p []party) []party { slices.Reverse(p); return p }) }), nil, 4},
		"respelled":    {edit(inBob(asks(of("main", "4000m", "2.0", "-1024Mi", "")))), nil, 4},
		"corrected":    {edit(inAlice(replicas(1)), inAlice(rolling("1", "0")), inBob(asks(of("main", "1", "2", "1Gi", "")))), nil, 0},
		"replicas":     {edit(inAlice(replicas(-1))), all[:1], 3},
		"resources":    {edit(inBob(asks(of("main", "3", "2", "1Gi", "")))), all[3:], 2},
		"made wrong":   {edit(inBob(replicas(0))), []path.Path{partiesPath(1, "replicas")}, 4},
		"waiting":      {edit(func(m *model) { m.WaitForRollout = types.BoolNull() }), all, 0},
		"other domain": {edit(inBob(func(p *party) { p.domainID = types.StringValue("carol") })), all[2:], 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			planned, _ := planUpdate(test.config, state, privateData{}, imagesOf())
			diags := judge(test.config, &planned, &state, privateData{})
			got := errorPaths(diags)
			if !slices.EqualFunc(got, test.errors, path.Path.Equal) || len(diags.Warnings()) != test.warnings {
				t.Errorf("it says %v", diags)
			}
			if fresh := judge(test.config, nil, nil, privateData{}); len(fresh) != len(diags) || fresh.WarningsCount() > 0 {
				t.Errorf("of a new serving it says %v", fresh)
			}
		})
	}
	waiting := judge(edit(func(m *model) { m.WaitForRollout = types.BoolNull() }), &state, &state, privateData{})
	if !slices.ContainsFunc(waiting, func(d diag.Diagnostic) bool { return strings.Contains(d.Detail(), "set wait_for_rollout = false") }) {
		t.Errorf("it says %v", waiting)
	}
}

// TestJudgeTinyMemory: half a byte is a warning where it is given, and not again
// where it stays.
func TestJudgeTinyMemory(t *testing.T) {
	t.Parallel()
	tiny := configOf(partyOf("alice", asks(of("", "", "", "", "512m"))))
	at := partiesPath(0, "resources").AtListIndex(0).AtName("max_memory")
	found := judge(tiny, nil, nil, privateData{})
	if len(found) != 1 || found.HasError() || !strings.Contains(found[0].Detail(), at.String()+`: "512m" is 0.512 bytes`) {
		t.Errorf("of a new serving it says %v", found)
	}
	state := stateOf(tiny)
	more := inParty(tiny, 0, replicas(2))
	planned, _ := planUpdate(more, state, privateData{}, imagesOf())
	if found := judge(more, &planned, &state, privateData{}); len(found) > 0 {
		t.Errorf("of a serving that keeps it, it says %v", found)
	}
}
