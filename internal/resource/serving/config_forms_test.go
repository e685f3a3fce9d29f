package serving

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/lifecycle"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

const model1, model2 = `{"model": 1}`, `{"model": 2}`

// TestPlanConfigForms: what a change of the text, of its form and of its
// version becomes, and that the text is never planned.
func TestPlanConfigForms(t *testing.T) {
	t.Parallel()
	base := twoParties()
	none, empty := showing(base, tfvalue.NewConfigTextNull()), showing(base, tfvalue.NewConfigTextValue(""))
	shown := func(text string) model { return showing(base, tfvalue.NewConfigTextValue(text)) }
	unknown := func(m model) model { m.ServingInputConfigWO = tfvalue.NewConfigTextUnknown(); return m }
	unknownVersion := func(m model) model { m.ServingInputConfigVersion = types.Int64Unknown(); return m }
	for name, test := range map[string]struct {
		before, after model
		want          class
		at            string
	}{
		"the same":                        {hiding(base, model1, 1), hiding(base, model1, 1), nothing, ""},
		"another text, same version":      {hiding(base, model1, 1), hiding(base, model2, 1), nothing, ""},
		"a text not known, same version":  {hiding(base, model1, 1), unknown(hiding(base, "", 1)), nothing, ""},
		"another version":                 {hiding(base, model1, 1), hiding(base, model1, 2), update, ""},
		"an earlier version":              {hiding(base, model1, 2), hiding(base, model1, 1), update, ""},
		"a version not known":             {hiding(base, model1, 1), unknownVersion(hiding(base, model1, 1)), update, ""},
		"a stale state":                   {stale(hiding(base, model1, 1)), hiding(base, model1, 1), update, ""},
		"hidden, same text":               {shown(model1), hiding(base, model1, 1), update, ""},
		"hidden, another text":            {shown(model1), hiding(base, model2, 1), update, ""},
		"hidden, not known yet":           {shown(model1), unknownVersion(hiding(base, model2, 1)), update, ""},
		"shown":                           {hiding(base, model1, 1), shown(model1), update, ""},
		"shown, not known yet":            {hiding(base, model1, 1), showing(base, tfvalue.NewConfigTextUnknown()), update, ""},
		"first text, hidden":              {none, hiding(base, model1, 1), update, ""},
		"first text, hidden, after empty": {empty, hiding(base, model1, 1), update, ""},
		"first text, shown":               {none, shown(model1), update, ""},
		"hidden text left out":            {hiding(base, model1, 1), none, replace, attrConfigVersion},
		"hidden text made empty":          {hiding(base, model1, 1), empty, replace, attrConfigVersion},
		"stale text left out":             {stale(none), none, replace, attrConfigVersion},
		"shown text left out":             {shown(model1), none, replace, attrConfig},
		"empty text left out":             {empty, none, nothing, ""},
		"none":                            {none, none, nothing, ""},
		// Terraform lets no plan ignore a value where there was none.
		"none made empty": {none, empty, update, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			state := stateOf(test.before)
			if test.before.ServingInputConfigVersion.ValueInt64() == staleVersion && !test.before.ServingInputConfigVersion.IsNull() {
				state = stale(state)
			}
			got, planned, reasons := classify(t, test.after, state, twoStored(), allImages)
			if got != test.want {
				t.Fatalf("it is %s %v, want %s", got, reasons, test.want)
			}
			if test.want == replace && (len(reasons) != 1 || !reasons[0].path.Equal(path.Root(test.at)) || !strings.Contains(reasons[0].why, "keep what is there")) {
				t.Errorf("the reasons are %v", reasons)
			}
			if test.after.hidesConfig() && !planned.ServingInputConfig.IsNull() {
				t.Errorf("%s is planned beside the hidden text", planned.ServingInputConfig)
			}
		})
	}
}

// TestPlanConfigFormsAfterImport: a text that an import read goes out of the
// state, and a configuration without a text still keeps it.
func TestPlanConfigFormsAfterImport(t *testing.T) {
	t.Parallel()
	private := twoStored()
	private.Imported, private.ObservedConfig = true, true
	imported := stateOf(twoParties())
	config := hiding(twoParties(), model1, 1)
	got, planned, _ := classify(t, config, imported, private, allImages)
	if got != update || !planned.ServingInputConfig.IsNull() {
		t.Errorf("it is %s with %s", got, planned.ServingInputConfig)
	}
	if after := private.afterUpdate(config); after.ObservedConfig {
		t.Error("a hidden text is taken for one that was only read")
	}
	if after := private.afterUpdate(showing(config, tfvalue.NewConfigTextNull())); !after.ObservedConfig {
		t.Error("a text that is left out is no longer one that was only read")
	}
}

func TestValidateConfigForms(t *testing.T) {
	t.Parallel()
	base := twoParties()
	text, hidden, unknown := tfvalue.NewConfigTextValue(model1), tfvalue.NewConfigTextValue(model2), tfvalue.NewConfigTextUnknown()
	null, one := tfvalue.NewConfigTextNull(), types.Int64Value(1)
	for name, test := range map[string]struct {
		text, hidden tfvalue.ConfigText
		version      types.Int64
		triggers     types.Map
		at, says     string
	}{
		"none":                      {text: null, hidden: null},
		"shown":                     {text: text, hidden: null},
		"hidden":                    {text: null, hidden: hidden, version: one},
		"hidden, unknown":           {text: null, hidden: unknown, version: one},
		"hidden, nothing known":     {text: null, hidden: unknown, version: types.Int64Unknown()},
		"hidden, version unknown":   {text: null, hidden: hidden, version: types.Int64Unknown()},
		"one of the two, not known": {text: unknown, hidden: unknown, version: types.Int64Unknown()},
		"shown unknown":             {text: unknown, hidden: hidden, version: one},
		"hidden may be null":        {text: text, hidden: unknown},

		"both":                    {text: text, hidden: hidden, version: one, at: attrConfigWO, says: "both set"},
		"both, shown empty":       {text: tfvalue.NewConfigTextValue(""), hidden: hidden, version: one, at: attrConfigWO, says: "both set"},
		"no version":              {text: null, hidden: hidden, at: attrConfigWO, says: "raise it with every change"},
		"no text":                 {text: null, hidden: null, version: one, at: attrConfigVersion, says: "Set both or neither"},
		"version beside shown":    {text: text, hidden: null, version: one, at: attrConfigVersion, says: "Set both or neither"},
		"empty":                   {text: null, hidden: tfvalue.NewConfigTextValue(""), version: one, at: attrConfigWO, says: "Leave it out"},
		"triggers, hidden JSON":   {text: null, hidden: hidden, version: one, triggers: triggers("1")},
		"triggers, hidden, later": {text: null, hidden: unknown, version: one, triggers: triggers("1")},
		"triggers, hidden, plain": {text: null, hidden: tfvalue.NewConfigTextValue("plain"), version: one, triggers: triggers("1"), at: "redeploy_triggers", says: "not JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := base
			config.ServingInputConfig, config.ServingInputConfigWO, config.ServingInputConfigVersion = test.text, test.hidden, test.version
			if !test.triggers.IsNull() {
				config.RedeployTriggers = test.triggers
			}
			diags := validate(config)
			if test.at == "" {
				noDiags(t, diags)
				return
			}
			if paths := errorPaths(diags); len(paths) != 1 || !paths[0].Equal(path.Root(test.at)) {
				t.Fatalf("errors at %v: %v", paths, diags)
			}
			if said := diags[0].Summary() + ": " + diags[0].Detail(); !strings.Contains(said, test.says) || strings.Contains(said, "model") {
				t.Errorf("it says %s", said)
			}
		})
	}
}

// TestUpdateOfConfigForms: an update carries the text only if Kuscia has
// another one, and asks Kuscia only if nobody else knows.
func TestUpdateOfConfigForms(t *testing.T) {
	t.Parallel()
	base := twoParties()
	shown := func(text string) model { return showing(base, tfvalue.NewConfigTextValue(text)) }
	more := func(m model) model { return inParty(m, 0, replicas(9)) }
	redeploy := func(m model) model { m.RedeployTriggers = triggers("2"); return m }
	for name, test := range map[string]struct {
		before, after model
		has           string // by Kuscia
		sends         string
		asks          bool
		restarts      bool
	}{
		"another version":                      {hiding(base, model1, 1), hiding(base, model2, 2), model1, model2, true, false},
		"another version, same text":           {hiding(base, model1, 1), hiding(base, model1, 2), `{"model":1.0}`, "", true, false},
		"another text, same version":           {hiding(base, model1, 1), more(hiding(base, model2, 1)), model1, "", false, false},
		"hidden, same text":                    {shown(model1), hiding(base, `{"model":1}`, 1), model1, "", false, false},
		"hidden, another text":                 {shown(model1), hiding(base, model2, 1), model1, model2, false, false},
		"shown, same text":                     {hiding(base, model1, 1), shown(model1), `{"model":1}`, "", true, false},
		"shown, another text":                  {hiding(base, model1, 1), shown(model2), model1, model2, true, false},
		"first text":                           {showing(base, tfvalue.NewConfigTextNull()), hiding(base, model1, 1), "", model1, false, false},
		"gone from Kuscia":                     {hiding(base, model1, 1), hiding(base, model1, 2), "", model1, true, false},
		"restart":                              {hiding(base, model1, 1), redeploy(hiding(base, model1, 1)), model1, "", true, true},
		"restart, another text, same version":  {hiding(base, model1, 1), redeploy(hiding(base, model2, 1)), model1, "", true, true},
		"restart, another version":             {hiding(base, model1, 1), redeploy(hiding(base, model2, 2)), model1, model2, true, true},
		"restart, hidden by somebody's change": {hiding(base, model1, 1), redeploy(hiding(base, model1, 1)), "plain", "", true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked := 0
			api := newScripted(t, func(string, string) reply {
				asked++
				existing := answerTo(twoParties())
				existing.ServingInputConfig = test.has
				return reply{data: existing}
			})
			r := servingResource{clients: &clients.Clients{API: api.Client}}
			state := stateOf(test.before)
			planned, _ := planUpdate(test.after, state, twoStored(), allImages)
			var diags diag.Diagnostics
			wanted, before, ok := r.configTexts(t.Context(), planned, state, test.after, &diags)
			request := updateRequest(wanted, before, twoStored(), &diags)
			noDiags(t, diags)
			sends := ""
			if request != nil {
				sends = request.ServingInputConfig
			}
			if !ok || sends != test.sends || (asked > 0) != test.asks {
				t.Fatalf("it sends %q, want %q; asked %d times", sends, test.sends, asked)
			}
			if got := redeploys(wanted, before, privateData{}); got != test.restarts {
				t.Errorf("it restarts: %v", got)
			}
			if !test.restarts {
				return
			}
			had := asked
			request = r.redeployRequest(t.Context(), wanted, before, request, &diags)
			if test.has == "plain" {
				if request != nil || !diags.HasError() {
					t.Errorf("a text that is not JSON is sent again: %v", request)
				}
				return
			}
			noDiags(t, diags)
			want := test.has
			if test.sends != "" {
				want = test.sends
			}
			if request.ServingInputConfig == test.has || !tfvalue.ConfigTextEqual(request.ServingInputConfig, want) || asked != had {
				t.Errorf("the restart sends %q while Kuscia has %q; asked again: %v", request.ServingInputConfig, test.has, asked != had)
			}
		})
	}
}

// TestUpdateOfConfigFormsUnreadable: without an answer nothing is sent.
func TestUpdateOfConfigFormsUnreadable(t *testing.T) {
	t.Parallel()
	api := newScripted(t, func(string, string) reply { return reply{code: 11501, message: "record not found"} })
	r := servingResource{clients: &clients.Clients{API: api.Client}}
	config := hiding(twoParties(), model1, 2)
	var diags diag.Diagnostics
	_, _, ok := r.configTexts(t.Context(), stateOf(config), stateOf(hiding(config, model1, 1)), config, &diags)
	if paths := errorPaths(diags); ok || len(paths) != 1 || !paths[0].Equal(path.Root(attrConfigVersion)) {
		t.Errorf("ok %v, errors at %v", ok, paths)
	}
}

// TestRefreshOfConfigForms: a hidden text is never read, and no text stays as
// it is.
func TestRefreshOfConfigForms(t *testing.T) {
	t.Parallel()
	hidden := stateOf(hiding(twoParties(), model1, 3))
	none := stateOf(showing(twoParties(), tfvalue.NewConfigTextNull()))
	empty := stateOf(showing(twoParties(), tfvalue.NewConfigTextValue("")))
	for name, test := range map[string]struct {
		state model
		has   string
		want  tfvalue.ConfigText
	}{
		"hidden":               {hidden, model1, tfvalue.NewConfigTextNull()},
		"hidden, another text": {hidden, model2, tfvalue.NewConfigTextNull()},
		"hidden, gone":         {hidden, "", tfvalue.NewConfigTextNull()},
		"stale":                {stale(hidden), model2, tfvalue.NewConfigTextNull()},
		"none":                 {none, "", tfvalue.NewConfigTextNull()},
		"none, then one":       {none, model1, tfvalue.NewConfigTextValue(model1)},
		"empty":                {empty, "", tfvalue.NewConfigTextValue("")},
		"imported, none":       {nullModel(), "", tfvalue.NewConfigTextValue("")},
		"imported":             {nullModel(), model1, tfvalue.NewConfigTextValue(model1)},
	} {
		answer := answerTo(twoParties())
		answer.ServingInputConfig = test.has
		got, _ := refresh(test.state, answer, twoStored(), anyReplicas(1))
		if !got.ServingInputConfig.Equal(test.want) || !got.ServingInputConfigVersion.Equal(test.state.ServingInputConfigVersion) || !got.ServingInputConfigWO.IsNull() {
			t.Errorf("%s: %q, version %s", name, got.ServingInputConfig.ValueString(), got.ServingInputConfigVersion)
		}
	}
}

// TestDifferencesOfConfigForms: a hidden text counts where it is known.
func TestDifferencesOfConfigForms(t *testing.T) {
	t.Parallel()
	config := hiding(twoParties(), model1, 1)
	answer := answerTo(twoParties())
	for text, differs := range map[string]bool{`{"model":1}`: false, model2: true, "": true} {
		answer.ServingInputConfig = text
		if got := differences(written(stateOf(config), config), answer, twoStored()); slices.Contains(got, attrConfig) != differs {
			t.Errorf("%q beside the wanted text differs in %v", text, got)
		}
		if got := differences(stateOf(config), answer, twoStored()); len(got) > 0 {
			t.Errorf("%q beside a state differs in %v", text, got)
		}
	}
}

// TestAdoptConfigForms: a serving that exists is as configured only if the
// hidden text is the wanted one.
func TestAdoptConfigForms(t *testing.T) {
	t.Parallel()
	config := hiding(twoParties(), model1, 1)
	wanted := written(planCreate(config), config)
	for text, ours := range map[string]bool{`{"model":1}`: true, model2: false} {
		existing := answerTo(twoParties())
		existing.ServingInputConfig = text
		var diags diag.Diagnostics
		create := newCreation(takenAPI{existing}, createRequest(wanted, &diags),
			func(s *kuscia.Serving) []string { return differences(wanted, s, privateData{}) })
		create.AdoptExisting = true
		got := create.Do(t.Context())
		noDiags(t, diags)
		if (got.Outcome == lifecycle.Adopted) != ours || ours != (got.Err == nil) {
			t.Errorf("%q: %s, %v", text, got.Outcome, got.Err)
		}
	}
}

// takenAPI is a server that has the serving.
type takenAPI struct{ serving *kuscia.Serving }

func (takenAPI) CreateServing(context.Context, *kuscia.CreateServingRequest) error {
	return kind(kuscia.ErrExists)
}

func (a takenAPI) QueryServing(context.Context, string) (*kuscia.Serving, error) {
	return a.serving, nil
}
