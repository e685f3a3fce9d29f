package serving

import (
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// answerTo is what Kuscia answers after a create from a configuration, on app
// images that have the containers main and side and nothing of their own.
func answerTo(config model) *kuscia.Serving {
	var diags diag.Diagnostics
	request := createRequest(planCreate(config), &diags)
	if diags.HasError() {
		panic(diags)
	}
	answer := &kuscia.Serving{ServingInputConfig: request.ServingInputConfig, Initiator: request.Initiator, Parties: request.Parties}
	for i := range answer.Parties {
		wanted := resourceList{}
		for _, r := range answer.Parties[i].Resources {
			wanted.items = append(wanted.items, of(r.ContainerName, r.MinCPU, r.MaxCPU, r.MinMemory, r.MaxMemory))
		}
		answer.Parties[i].Resources = nil
		for _, name := range []string{"main", "side"} {
			a := wanted.form().of(name)
			answer.Parties[i].Resources = append(answer.Parties[i].Resources, amounts{canonical(a.minCPU), canonical(a.maxCPU), canonical(a.minMemory), canonical(a.maxMemory)}.wire(name))
		}
	}
	return answer
}

func canonical(text string) string {
	quantity, err := tfvalue.ParseQuantity(text)
	if err != nil {
		return text
	}
	return quantity.String()
}

func TestDifferences(t *testing.T) {
	t.Parallel()
	base := twoParties()
	party := func(i int, edit func(*kuscia.ServingParty)) func(*kuscia.Serving) {
		return func(s *kuscia.Serving) { edit(&s.Parties[i]) }
	}
	three := int32(3)
	for name, test := range map[string]struct {
		change  func(*kuscia.Serving)
		private privateData
		want    []string
	}{
		"none":                 {func(*kuscia.Serving) {}, privateData{}, nil},
		"order":                {func(s *kuscia.Serving) { slices.Reverse(s.Parties) }, privateData{}, nil},
		"initiator":            {func(s *kuscia.Serving) { s.Initiator = "bob" }, privateData{}, []string{"initiator"}},
		"serving_input_config": {func(s *kuscia.Serving) { s.ServingInputConfig = "{}" }, privateData{}, []string{"serving_input_config"}},
		"json spelling":        {func(s *kuscia.Serving) { s.ServingInputConfig = "{\"model\":1}\n" }, privateData{}, nil},
		"a party less":         {func(s *kuscia.Serving) { s.Parties = s.Parties[:1] }, privateData{}, []string{"parties"}},
		"another role":         {party(0, func(p *kuscia.ServingParty) { p.Role = "x" }), privateData{}, []string{"parties"}},
		"app_image":            {party(1, func(p *kuscia.ServingParty) { p.AppImage = "x" }), privateData{}, []string{"app_image of party bob/server"}},
		"replicas":             {party(0, func(p *kuscia.ServingParty) { p.Replicas = &three }), privateData{}, []string{"replicas of party alice/"}},
		"replicas not told":    {party(0, func(p *kuscia.ServingParty) { p.Replicas = nil }), privateData{}, nil},
		"prefix":               {party(0, func(p *kuscia.ServingParty) { p.ServiceNamePrefix = "" }), privateData{}, []string{"service_name_prefix of party alice/"}},
		"strategy":             {party(0, func(p *kuscia.ServingParty) { p.UpdateStrategy.MaxSurge = "1" }), privateData{}, []string{"update_strategy of party alice/"}},
		"strategy not told":    {party(0, func(p *kuscia.ServingParty) { p.UpdateStrategy = nil }), privateData{}, nil},
		"resources":            {party(0, func(p *kuscia.ServingParty) { p.Resources[1].MinCPU = "7" }), privateData{}, []string{"resources of party alice/"}},
		"resources dropped": {party(1, func(p *kuscia.ServingParty) {
			p.Resources = []kuscia.Resource{entry("main", "", "", "", ""), entry("side", "", "", "", "")}
		}), privateData{}, []string{"resources of party bob/server"}},
		"resources of a container of a newer app image": {party(0, func(p *kuscia.ServingParty) {
			p.Resources = append(p.Resources, entry("extra", "9", "", "", ""))
		}), privateData{Containers: map[string][]string{"alice/": {"main", "side"}}}, nil},
		"resources that were read": {party(0, func(p *kuscia.ServingParty) { p.Resources[0].MinCPU = "7" }),
			privateData{Observed: []string{"alice/"}}, nil},
		"two": {func(s *kuscia.Serving) { s.Initiator = "bob"; s.Parties[1].AppImage = "x" }, privateData{}, []string{"initiator", "app_image of party bob/server"}},
	} {
		answer := answerTo(base)
		test.change(answer)
		if got := differences(stateOf(base), answer, test.private); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// TestDifferencesIgnoreAppImageDefaults: what was not asked for is the app
// image's business.
func TestDifferencesIgnoreAppImageDefaults(t *testing.T) {
	t.Parallel()
	config := configOf(partyOf("alice"))
	answer := answerTo(config)
	answer.Parties[0].Resources = []kuscia.Resource{entry("main", "1", "2", "3", "4")}
	if got := differences(stateOf(config), answer, privateData{}); len(got) > 0 {
		t.Errorf("%v", got)
	}
	cleared := stateOf(config)
	cleared.ServingInputConfig = tfvalue.NewConfigTextValue("")
	cleared.Initiator = types.StringValue("alice")
	if got := differences(cleared, answer, privateData{}); !slices.Equal(got, []string{"serving_input_config"}) {
		t.Errorf("%v", got)
	}
}
