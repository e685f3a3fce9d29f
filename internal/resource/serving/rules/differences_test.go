package rules_test

import (
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

func TestDifferences(t *testing.T) {
	t.Parallel()
	base := TwoParties()
	party := func(i int, edit func(*kuscia.ServingParty)) func(*kuscia.Serving) {
		return func(s *kuscia.Serving) { edit(&s.Parties[i]) }
	}
	three := int32(3)
	for name, test := range map[string]struct {
		change  func(*kuscia.Serving)
		private rules.Private
		want    []string
	}{
		"none":                 {func(*kuscia.Serving) {}, rules.Private{}, nil},
		"order":                {func(s *kuscia.Serving) { slices.Reverse(s.Parties) }, rules.Private{}, nil},
		"initiator":            {func(s *kuscia.Serving) { s.Initiator = "bob" }, rules.Private{}, []string{"initiator"}},
		"serving_input_config": {func(s *kuscia.Serving) { s.ServingInputConfig = "{}" }, rules.Private{}, []string{"serving_input_config"}},
		"json spelling":        {func(s *kuscia.Serving) { s.ServingInputConfig = "{\"model\":1}\n" }, rules.Private{}, nil},
		"a party less":         {func(s *kuscia.Serving) { s.Parties = s.Parties[:1] }, rules.Private{}, []string{"parties"}},
		"another role":         {party(0, func(p *kuscia.ServingParty) { p.Role = "x" }), rules.Private{}, []string{"parties"}},
		"app_image":            {party(1, func(p *kuscia.ServingParty) { p.AppImage = "x" }), rules.Private{}, []string{`parties["bob"].app_image`}},
		"replicas":             {party(0, func(p *kuscia.ServingParty) { p.Replicas = &three }), rules.Private{}, []string{`parties["alice"].replicas`}},
		"replicas not told":    {party(0, func(p *kuscia.ServingParty) { p.Replicas = nil }), rules.Private{}, nil},
		"prefix":               {party(0, func(p *kuscia.ServingParty) { p.ServiceNamePrefix = "" }), rules.Private{}, []string{`parties["alice"].service_name_prefix`}},
		"strategy":             {party(0, func(p *kuscia.ServingParty) { p.UpdateStrategy.MaxSurge = "1" }), rules.Private{}, []string{`parties["alice"].update_strategy`}},
		"strategy not told":    {party(0, func(p *kuscia.ServingParty) { p.UpdateStrategy = nil }), rules.Private{}, nil},
		"resources":            {party(0, func(p *kuscia.ServingParty) { p.Resources[1].MinCPU = "7" }), rules.Private{}, []string{`parties["alice"].resources`}},
		"resources dropped": {party(1, func(p *kuscia.ServingParty) {
			p.Resources = []kuscia.Resource{WireResource("main", "", "", "", ""), WireResource("side", "", "", "", "")}
		}), rules.Private{}, []string{`parties["bob"].resources`}},
		"resources of a container of a newer app image": {party(0, func(p *kuscia.ServingParty) {
			p.Resources = append(p.Resources, WireResource("extra", "9", "", "", ""))
		}), rules.Private{Containers: map[string][]string{"alice/": {"main", "side"}}}, nil},
		"resources that were read": {party(0, func(p *kuscia.ServingParty) { p.Resources[0].MinCPU = "7" }),
			rules.Private{ObservedResources: []string{"alice/"}}, nil},
		"two": {func(s *kuscia.Serving) { s.Initiator = "bob"; s.Parties[1].AppImage = "x" }, rules.Private{}, []string{"initiator", `parties["bob"].app_image`}},
	} {
		response := ResponseTo(base)
		test.change(response)
		if got := paths(rules.Differences(StateOf(base), response, test.private)); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// TestDifferencesIgnoreAppImageDefaults: resources that are not configured are
// those of the app image and no difference.
func TestDifferencesIgnoreAppImageDefaults(t *testing.T) {
	t.Parallel()
	config := ConfigOf(PartyOf("alice"))
	response := ResponseTo(config)
	response.Parties[0].Resources = []kuscia.Resource{WireResource("main", "1", "2", "3", "4")}
	if got := rules.Differences(StateOf(config), response, rules.Private{}); len(got) > 0 {
		t.Errorf("%v", got)
	}
	cleared := StateOf(config)
	cleared.ServingInputConfig = types.StringValue("")
	cleared.Initiator = types.StringValue("alice")
	if got := paths(rules.Differences(cleared, response, rules.Private{})); !slices.Equal(got, []string{"serving_input_config"}) {
		t.Errorf("%v", got)
	}
}

func paths(all []path.Path) (texts []string) {
	for _, at := range all {
		texts = append(texts, at.String())
	}
	return texts
}
