package rules_test

import (
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// TestObservedLike: resources that another client has changed keep the form of the
// state, so that a plan shows the difference where the configuration has the value.
func TestObservedLike(t *testing.T) {
	t.Parallel()
	common := ResourcesOf(ContainerResources("", "1000m", "", "", "2Gi"))
	for name, test := range map[string]struct {
		form     rules.Resources
		response []kuscia.Resource
		want     rules.Resources
	}{
		"for all containers": {common, []kuscia.Resource{WireResource("main", "1", "", "", "3Gi"), WireResource("side", "1", "", "", "3Gi")},
			ResourcesOf(ContainerResources("", "1000m", "", "", "3Gi"))},
		"one of them": {common, []kuscia.Resource{WireResource("main", "1", "", "", "2Gi"), WireResource("side", "2", "", "", "2Gi")},
			ResourcesOf(ContainerResources("main", "1", "", "", "2Gi"), ContainerResources("side", "2", "", "", "2Gi"))},
		"by name": {ResourcesOf(ContainerResources("main", "1000m", "", "", "")), []kuscia.Resource{WireResource("main", "2", "", "", "")},
			ResourcesOf(ContainerResources("main", "2", "", "", ""))},
		"nothing stored": {common, []kuscia.Resource{WireResource("main", "", "", "", "")}, rules.Resources{}},
		"no response":    {common, nil, rules.Resources{}},
	} {
		if got := rules.ObservedLike(test.form, test.response); !got.Equal(test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
