package rules_test

import (
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"

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
		"initiator":            {func(s *kuscia.Serving) { s.Initiator = "bob" }, rules.Private{}, []string{"initiator"}},
		"serving_input_config": {func(s *kuscia.Serving) { s.ServingInputConfig = "{}" }, rules.Private{}, []string{"serving_input_config"}},
		"a party less":         {func(s *kuscia.Serving) { s.Parties = s.Parties[:1] }, rules.Private{}, []string{"parties"}},
		"another role":         {party(0, func(p *kuscia.ServingParty) { p.Role = "x" }), rules.Private{}, []string{"parties"}},
		"app_image":            {party(1, func(p *kuscia.ServingParty) { p.AppImage = "x" }), rules.Private{}, []string{`parties["bob"].app_image`}},
		"replicas":             {party(0, func(p *kuscia.ServingParty) { p.Replicas = &three }), rules.Private{}, []string{`parties["alice"].replicas`}},
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
	} {
		response := ResponseTo(base)
		test.change(response)
		if got := paths(rules.Differences(StateOf(base), response, test.private)); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
		if changed := rules.ChangedSincePlan(StateOf(base), response, nil, false, test.private); name == "serving_input_config" && !slices.Equal(changed, test.want) {
			t.Errorf("a text that may be secret is shown in %q", changed)
		}
	}
}

func paths(all []path.Path) (texts []string) {
	for _, at := range all {
		texts = append(texts, at.String())
	}
	return texts
}

// TestForeignResources: an existing serving differs from the configuration if it
// has resources that neither the configuration nor the app image has.
func TestForeignResources(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		container, cpu string
		image          *kuscia.DeployTemplate
		foreign        bool
	}{
		"none":                     {"main", "", limited(""), false},
		"the image's":              {"main", "1000m", limited("1"), false},
		"stored":                   {"main", "2", limited(""), true},
		"stored over the image's":  {"main", "2", limited("1"), true},
		"another container":        {"side", "1", limited("1"), true},
		"image that cannot be had": {"main", "1", nil, true},
	} {
		resources := []kuscia.Resource{{ContainerName: test.container, MaxCPU: test.cpu}}
		existing := &kuscia.Serving{Parties: []kuscia.ServingParty{{DomainID: "alice", AppImage: "sf", Resources: resources}}}
		got := rules.UnmanagedDifferences(StateOf(ConfigOf(PartyOf("alice"))), existing, func(kuscia.ServingParty) *kuscia.DeployTemplate { return test.image })
		if (len(got) > 0) != test.foreign {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func limited(cpu string) *kuscia.DeployTemplate {
	main := Container("main")
	main.Resources = &kuscia.ResourceRequirements{Limits: &kuscia.ResourceSpec{CPU: cpu}}
	template := DeployTemplate("t", "", main)
	return &template
}
