package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testjson"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestUpdateRequestOfResources: the cases in which the known stored resources
// matter.
func TestUpdateRequestOfResources(t *testing.T) {
	t.Parallel()
	stored := rules.Private{Containers: map[string][]string{"alice/": {"main", "side"}}}
	observed := stored
	observed.ObservedResources = []string{"alice/"}
	for name, test := range map[string]struct {
		private       rules.Private
		before, after func(*rules.Party)
		want          string // the party's resources
	}{
		"observed ones go out whole, for it is not known whether they are stored": {observed,
			Resources(ContainerResources("main", "1", "2", "", ""), ContainerResources("side", "1", "", "", "")), Resources(ContainerResources("main", "1", "3", "", ""), ContainerResources("side", "1", "", "", "")),
			`[{"container_name":"main","min_cpu":"1","max_cpu":"3"},{"container_name":"side","min_cpu":"1"}]`},
		"containers not known, the general value must not reach a named one": {rules.Private{},
			Resources(ContainerResources("", "1", "", "", ""), ContainerResources("main", "3", "", "", "")), Resources(ContainerResources("", "2", "", "", ""), ContainerResources("main", "3", "", "", "")),
			`[{"container_name":"","min_cpu":"2"},{"container_name":"main"}]`},
		"containers not known, both change": {rules.Private{},
			Resources(ContainerResources("", "1", "", "", ""), ContainerResources("main", "", "", "3", "")), Resources(ContainerResources("", "2", "", "", ""), ContainerResources("main", "", "", "4", "")),
			`[{"container_name":"","min_cpu":"2"},{"container_name":"main","min_cpu":"2","min_memory":"4"}]`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := ConfigOf(PartyOf("alice", test.before))
			prior := StateOf(config)
			edited := InParty(config, 0, test.after)
			got, planned, reasons := Classify(t, edited, prior, test.private, AllImages)
			if got != Update {
				t.Fatalf("the plan is %s: %v", got, reasons)
			}
			var diags diag.Diagnostics
			request := rules.UpdateRequest(planned, prior, test.private, &diags)
			NoDiags(t, diags)
			sent := testjson.Encode(t, request)
			if want := `{"serving_id":"glm","parties":[{"domain_id":"alice","resources":` + test.want + `}]}`; sent != want {
				t.Errorf("got\n%s\nwant\n%s", sent, want)
			}
		})
	}
}

// TestRequestsOfUnknown: a value that is still unknown is an error at its path,
// never a zero value.
func TestRequestsOfUnknown(t *testing.T) {
	t.Parallel()
	unknown, prior := types.StringUnknown(), StateOf(TwoParties())
	for at, change := range map[string]func(*rules.Serving){
		"serving_input_config": func(m *rules.Serving) { *m = m.WithServingAttribute(rules.AttrConfig, unknown) },
		"parties":              func(m *rules.Serving) { *m = m.WithParties(rules.UnknownParties()) },
		`parties["bob"]`: func(m *rules.Serving) {
			*m = InParty(*m, 1, func(p *rules.Party) { *p = p.WithPartyAttribute("app_image", unknown) })
		},
		`parties["alice"]`: func(m *rules.Serving) {
			*m = InParty(*m, 0, InContainer("", "max_cpu", unknown))
		},
		"serving_id":    func(m *rules.Serving) { *m = m.WithServingAttribute("serving_id", unknown) },
		"initiator":     func(m *rules.Serving) { *m = m.WithServingAttribute("initiator", unknown) },
		"affinity_mode": func(m *rules.Serving) { *m = m.WithServingAttribute("affinity_mode", unknown) },
	} {
		planned := prior
		change(&planned)
		var diags diag.Diagnostics
		created := rules.CreateRequest(planned, &diags) != nil
		if strings.Contains(at, "parties") || at == "serving_input_config" { // others replace the serving
			created = created || rules.UpdateRequest(planned, prior, TwoPartiesPrivate(), &diags) != nil
		}
		for _, found := range ErrorPaths(diags) {
			if found.String() != at {
				t.Errorf("unknown %s: an error at %s", at, found)
			}
		}
		if created || !diags.HasError() {
			t.Errorf("unknown %s: a request, %v", at, diags)
		}
	}
}

// TestUpdateRefusesWhatBecameImpossible: a value that was unknown in the plan
// may become one that only a new serving can have. The update then fails before
// anything is sent, and does not leave the value out.
func TestUpdateRefusesWhatBecameImpossible(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		set     func(*rules.Serving, types.String)
		becomes types.String
		path    path.Path
	}{
		"serving_input_config empty": {
			func(m *rules.Serving, value types.String) { *m = m.WithServingAttribute(rules.AttrConfig, value) }, types.StringValue(""), path.Root("serving_input_config"),
		},
		"amount null": {func(m *rules.Serving, value types.String) {
			*m = InParty(*m, 1, InContainer("main", "max_cpu", value))
		}, types.StringNull(), PartiesPath("bob", "container_resources")},
		"amount zero": {func(m *rules.Serving, value types.String) {
			*m = InParty(*m, 1, InContainer("side", "min_memory", value))
		}, types.StringValue("0"), PartiesPath("bob", "container_resources")},
	} {
		config := TwoParties()
		prior := StateOf(config)
		open, closed := config, config
		test.set(&open, types.StringUnknown())
		test.set(&closed, test.becomes)
		if got, _, reasons := Classify(t, open, prior, TwoPartiesPrivate(), AllImages); got != Update {
			t.Fatalf("%s: the plan is %s %v", name, got, reasons)
		}
		var diags diag.Diagnostics
		request := rules.UpdateRequest(closed.WithDefaults(), prior, TwoPartiesPrivate(), &diags)
		if paths := ErrorPaths(diags); request != nil || len(paths) != 1 || !paths[0].Equal(test.path) {
			t.Errorf("%s: request %v, errors at %v", name, request, paths)
		}
	}
}

// TestRespell: the same JSON content with another text each time, and with another one for each
// value of the triggers.
func TestRespell(t *testing.T) {
	t.Parallel()
	first, second := Triggers("1"), Triggers("2")
	for _, text := range []string{`{}`, "{}\n", "{\n}", ` {"a":1} `, `[1]`, `{"a":1,"a":2}`, `["\ud800"]`} {
		sent := []string{text, rules.ChangeWhitespace(text, text), rules.MarkWhitespace(text, first), rules.MarkWhitespace(text, second)}
		sent = append(sent, rules.ChangeWhitespace(text, sent[1]))
		for i, one := range sent {
			if !tfvalue.ConfigTextEqual(one, text) || i > 0 && i < 4 && slices.Contains(sent[:i], one) {
				t.Errorf("%q becomes %q", text, sent)
			}
		}
		if sent[4] == sent[1] || sent[2] != rules.MarkWhitespace(text, first) {
			t.Errorf("%q becomes %q", text, sent)
		}
	}
	if got := rules.ChangeWhitespace(`{"a":2}`, `{"a":1}`); got != `{"a":2}` {
		t.Errorf("a new text is sent as %q", got)
	}
}
