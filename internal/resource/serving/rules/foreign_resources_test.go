package rules_test

import (
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

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

// limited is a template with one container that has a limit.
func limited(cpu string) *kuscia.DeployTemplate {
	main := Container("main")
	main.Resources = &kuscia.ResourceRequirements{Limits: &kuscia.ResourceSpec{CPU: cpu}}
	template := DeployTemplate("t", "", main)
	return &template
}
