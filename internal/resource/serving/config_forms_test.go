package serving

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

const model1, model2 = `{"model": 1}`, `{"model": 2}`

// TestPlanConfigForms: the effect of a change of the text, of its form and of
// its version; the text is never in the plan.
func TestPlanConfigForms(t *testing.T) {
	t.Parallel()
	base := TwoParties()
	none, empty := WithPlainConfig(base, types.StringNull()), WithPlainConfig(base, types.StringValue(""))
	shown := func(text string) rules.Serving { return WithPlainConfig(base, types.StringValue(text)) }
	unknown := func(m rules.Serving) rules.Serving { m.ServingInputConfigWO = types.StringUnknown(); return m }
	for name, test := range map[string]struct {
		before, after rules.Serving
		want          Outcome
		at            string
	}{
		"the same":                      {WriteOnly(base, model1, 1), WriteOnly(base, model1, 1), NoOp, ""},
		"another text, same version":    {WriteOnly(base, model1, 1), WriteOnly(base, model2, 1), NoOp, ""},
		"an unknown text, same version": {WriteOnly(base, model1, 1), unknown(WriteOnly(base, "", 1)), NoOp, ""},
		"another version":               {WriteOnly(base, model1, 1), WriteOnly(base, model1, 2), Update, ""},
		"a stale state":                 {rules.MarkConfigUnsure(WriteOnly(base, model1, 1)), WriteOnly(base, model1, 1), Update, ""},
		"hidden, another text":          {shown(model1), WriteOnly(base, model2, 1), Update, ""},
		"shown":                         {WriteOnly(base, model1, 1), shown(model1), Update, ""},
		"first text, hidden":            {none, WriteOnly(base, model1, 1), Update, ""},
		"hidden text left out":          {WriteOnly(base, model1, 1), none, Replace, rules.AttrConfigVersion},
		"hidden text made empty":        {WriteOnly(base, model1, 1), empty, Replace, rules.AttrConfigVersion},
		"stale text left out":           {rules.MarkConfigUnsure(none), none, Replace, rules.AttrConfigVersion},
		"shown text left out":           {shown(model1), none, Replace, rules.AttrConfig},
		"empty text left out":           {empty, none, NoOp, ""},
		// Terraform lets no plan ignore a value that was null before.
		"none, then empty": {none, empty, Update, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			state := StateOf(test.before)
			if test.before.ServingInputConfigVersion.ValueInt64() == rules.UnsureVersion && !test.before.ServingInputConfigVersion.IsNull() {
				state = rules.MarkConfigUnsure(state)
			}
			got, planned, reasons := Classify(t, test.after, state, TwoPartiesPrivate(), AllImages)
			if got != test.want {
				t.Fatalf("the plan is %s %v, want %s", got, reasons, test.want)
			}
			if test.want == Replace && (len(reasons) != 1 || !reasons[0].Path.Equal(path.Root(test.at)) || !strings.Contains(reasons[0].Why, "\"unchanged\"")) {
				t.Errorf("the reasons are %v", reasons)
			}
			if test.after.ConfigIsWriteOnly() && !planned.ServingInputConfig.IsNull() {
				t.Errorf("%s is planned with the write-only text", planned.ServingInputConfig)
			}
		})
	}
}

func TestValidateConfigForms(t *testing.T) {
	t.Parallel()
	base := TwoParties()
	text, hidden, unknown := types.StringValue(model1), types.StringValue(model2), types.StringUnknown()
	null, one := types.StringNull(), types.Int64Value(1)
	for name, test := range map[string]struct {
		TextOf, hidden types.String
		version        types.Int64
		triggers       types.Map
		at, says       string
	}{
		"hidden, unknown":          {TextOf: null, hidden: unknown, version: one},
		"hidden, nothing known":    {TextOf: null, hidden: unknown, version: types.Int64Unknown()},
		"unknown text and version": {TextOf: unknown, hidden: unknown, version: types.Int64Unknown()},
		"hidden may be null":       {TextOf: text, hidden: unknown},

		"both":                    {TextOf: text, hidden: hidden, version: one, at: rules.AttrConfigWO, says: "Keep "},
		"no version":              {TextOf: null, hidden: hidden, at: rules.AttrConfigWO, says: "change it whenever the text changes"},
		"no text":                 {TextOf: null, hidden: null, version: one, at: rules.AttrConfigVersion, says: "Set both or neither"},
		"empty":                   {TextOf: null, hidden: types.StringValue(""), version: one, at: rules.AttrConfigWO, says: "Omit it"},
		"triggers, hidden JSON":   {TextOf: null, hidden: hidden, version: one, triggers: Triggers("1")},
		"triggers, hidden, later": {TextOf: null, hidden: unknown, version: one, triggers: Triggers("1")},
		"triggers, hidden, plain": {TextOf: null, hidden: types.StringValue("plain"), version: one, triggers: Triggers("1"), at: "redeploy_triggers", says: "not JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := base
			config.ServingInputConfig, config.ServingInputConfigWO, config.ServingInputConfigVersion = test.TextOf, test.hidden, test.version
			if !test.triggers.IsNull() {
				config.RedeployTriggers = test.triggers
			}
			diags := rules.Validate(config.Value())
			if test.at == "" {
				NoDiags(t, diags)
				return
			}
			if paths := ErrorPaths(diags); len(paths) != 1 || !paths[0].Equal(path.Root(test.at)) {
				t.Fatalf("errors at %v: %v", paths, diags)
			}
			if said := diags[0].Summary() + ": " + diags[0].Detail(); !strings.Contains(said, test.says) || strings.Contains(said, "model") {
				t.Errorf("the diagnostics are %s", said)
			}
		})
	}
}

// TestUpdateOfConfigForms: an update sends the text only if Kuscia has another
// one, and queries Kuscia only if there is no other source.
func TestUpdateOfConfigForms(t *testing.T) {
	t.Parallel()
	base := TwoParties()
	base.RedeployTriggers = Triggers("1")
	shown := func(text string) rules.Serving { return WithPlainConfig(base, types.StringValue(text)) }
	more := func(m rules.Serving) rules.Serving { return InParty(m, 0, Replicas(9)) }
	redeploy := func(m rules.Serving) rules.Serving { m.RedeployTriggers = Triggers("2"); return m }
	for name, test := range map[string]struct {
		before, after rules.Serving
		has           string // in Kuscia
		sends         string
		Resources     bool
		restarts      bool
	}{
		"another version":                    {WriteOnly(base, model1, 1), WriteOnly(base, model2, 2), model1, model2, true, false},
		"another version, same text":         {WriteOnly(base, model1, 1), WriteOnly(base, model1, 2), `{"model":1.0}`, "", true, false},
		"another text, same version":         {WriteOnly(base, model1, 1), more(WriteOnly(base, model2, 1)), model1, "", false, false},
		"hidden, another text":               {shown(model1), WriteOnly(base, model2, 1), model1, model2, true, false},
		"hidden, changed by another client":  {shown(model1), WriteOnly(base, model1, 1), model2, model1, true, false},
		"shown, same text":                   {WriteOnly(base, model1, 1), shown(model1), `{"model":1}`, "", true, false},
		"deleted in Kuscia":                  {WriteOnly(base, model1, 1), WriteOnly(base, model1, 2), "", model1, true, false},
		"restart":                            {WriteOnly(base, model1, 1), redeploy(WriteOnly(base, model1, 1)), model1, "", true, true},
		"restart, another version":           {WriteOnly(base, model1, 1), redeploy(WriteOnly(base, model2, 2)), model1, model2, true, true},
		"restart, changed by another client": {WriteOnly(base, model1, 1), redeploy(WriteOnly(base, model1, 1)), "plain", "", true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked := 0
			api := NewScripted(t, func(string, string) Reply {
				asked++
				existing := ResponseTo(TwoParties())
				existing.ServingInputConfig = test.has
				return Reply{Data: existing}
			})
			c := &clients.Clients{Kuscia: api.Client}
			state := StateOf(test.before)
			planned, _ := rules.PlanUpdate(test.after, state, TwoPartiesPrivate(), rules.KnownImages(AllImages))
			var diags diag.Diagnostics
			live := &liveServing{api: api.Client, id: "glm"}
			desired, before, ok := configTexts(t.Context(), live, planned, state, test.after, TwoPartiesPrivate(), &diags)
			request := rules.UpdateRequest(desired, before, TwoPartiesPrivate(), &diags)
			NoDiags(t, diags)
			sends := ""
			if request != nil {
				sends = request.ServingInputConfig
			}
			if !ok || sends != test.sends || (asked > 0) != test.Resources {
				t.Fatalf("the request has %q, want %q; %d queries", sends, test.sends, asked)
			}
			if got := rules.Redeploys(desired, before, TwoPartiesPrivate()); got != test.restarts {
				t.Errorf("it restarts: %v", got)
			}
			if !test.restarts {
				return
			}
			had := asked
			request = redeployRequest(t.Context(), c, live, desired, path.Root("redeploy_triggers"), request, &diags)
			if test.has == "plain" {
				if request != nil || !diags.HasError() {
					t.Errorf("a text that is not JSON is sent again: %v", request)
				}
				return
			}
			NoDiags(t, diags)
			want := test.has
			if test.sends != "" {
				want = test.sends
			}
			if request.ServingInputConfig == test.has || !tfvalue.ConfigTextEqual(request.ServingInputConfig, want) || asked != had {
				t.Errorf("the restart sends %q while Kuscia has %q; another query: %v", request.ServingInputConfig, test.has, asked != had)
			}
		})
	}
}

// TestUpdateOfConfigFormsUnreadable: without a response nothing is sent.
func TestUpdateOfConfigFormsUnreadable(t *testing.T) {
	t.Parallel()
	api := NewScripted(t, func(string, string) Reply { return Reply{Code: 11501, Message: "record not found"} })
	config := WriteOnly(TwoParties(), model1, 2)
	var diags diag.Diagnostics
	_, _, ok := configTexts(t.Context(), &liveServing{api: api.Client, id: "glm"}, StateOf(config), StateOf(WriteOnly(config, model1, 1)), config, rules.Private{}, &diags)
	if paths := ErrorPaths(diags); ok || len(paths) != 1 || !paths[0].Equal(path.Root(rules.AttrConfigVersion)) {
		t.Errorf("ok %v, errors at %v", ok, paths)
	}
}

// TestDifferencesOfConfigForms: a write-only text is compared if it is known.
func TestDifferencesOfConfigForms(t *testing.T) {
	t.Parallel()
	config := WriteOnly(TwoParties(), model1, 1)
	response := ResponseTo(TwoParties())
	for text, differs := range map[string]bool{`{"model":1}`: false, model2: true, "": true} {
		response.ServingInputConfig = text
		if got := rules.Differences(rules.Desired(StateOf(config), config), response, TwoPartiesPrivate()); slices.ContainsFunc(got, path.Root(rules.AttrConfig).Equal) != differs {
			t.Errorf("%q and the desired text differ in %v", text, got)
		}
		if got := rules.Differences(StateOf(config), response, TwoPartiesPrivate()); len(got) > 0 {
			t.Errorf("%q and a state differ in %v", text, got)
		}
	}
}
