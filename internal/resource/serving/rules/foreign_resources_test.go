package rules_test

import (
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// resourced is an app image with one container that has resources.
func resourced(cpu string) *kuscia.AppImage {
	main := Container("main")
	if cpu != "" {
		main.Resources = &kuscia.ResourceRequirements{Limits: &kuscia.ResourceSpec{CPU: cpu}}
	}
	return AppImage("sf", main)
}

func limited(cpu string) kuscia.Resource {
	return kuscia.Resource{ContainerName: "main", MaxCPU: cpu}
}

// TestForeignResources: an existing serving differs from the configuration if it
// has resources that neither the configuration nor the app image has.
func TestForeignResources(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		answer  kuscia.Resource
		image   *kuscia.AppImage
		foreign bool
	}{
		"none":                     {limited(""), resourced(""), false},
		"the image's":              {limited("1000m"), resourced("1"), false},
		"stored":                   {limited("2"), resourced(""), true},
		"stored over the image's":  {limited("2"), resourced("1"), true},
		"another container":        {kuscia.Resource{ContainerName: "side", MaxCPU: "1"}, resourced("1"), true},
		"image that cannot be had": {limited("1"), nil, true},
	} {
		existing := &kuscia.Serving{Parties: []kuscia.ServingParty{{DomainID: "alice", AppImage: "sf", Resources: []kuscia.Resource{test.answer}}}}
		got := rules.UnmanagedDifferences(StateOf(ConfigOf(PartyOf("alice"))), existing, func(p kuscia.ServingParty) *kuscia.DeployTemplate {
			if test.image == nil {
				return nil
			}
			return party.TemplateFor(test.image, p.Role)
		})
		if (len(got) > 0) != test.foreign {
			t.Errorf("%s: %v", name, got)
		}
	}
}
