package party

import (
	"reflect"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
)

// TestImageNeeds: what an old Kuscia never starts needs a newer one.
func TestImageNeeds(t *testing.T) {
	t.Parallel()
	const fits, long = 63 - len("-p"), 63 - len("p")
	for name, c := range map[string]struct {
		deployment int // the length of its name
		port       kube.ContainerPort
		role       string
		want       []versions.Feature
	}{
		"a number":                    {fits, kube.ContainerPort{Name: "p", Port: 1, Scope: "Cluster"}, "", nil},
		"no number":                   {fits, kube.ContainerPort{Name: "p", Scope: "Cluster"}, "", []versions.Feature{versions.PortAllocation}},
		"a long name":                 {long, kube.ContainerPort{Name: "p", Port: 1, Scope: "Cluster"}, "", []versions.Feature{versions.LongServingIDs}},
		"a long name in the domain":   {long, kube.ContainerPort{Name: "p", Port: 1, Scope: "Domain"}, "", []versions.Feature{versions.LongServingIDs}},
		"no Service":                  {long, kube.ContainerPort{Name: "p", Port: 1, Scope: "Local"}, "", nil},
		"no name of a Deployment yet": {0, kube.ContainerPort{Name: strings.Repeat("p", 63), Port: 1, Scope: "Cluster"}, "", nil},
		"both":                        {long, kube.ContainerPort{Name: "p", Scope: "Cluster"}, "", []versions.Feature{versions.PortAllocation, versions.LongServingIDs}},
		"another role":                {long, kube.ContainerPort{Name: "p", Scope: "Cluster"}, "host", nil},
	} {
		template := kube.DeployTemplate{Role: "guest"}
		template.Spec.Containers = []kube.PartyContainer{{Name: "c", Ports: []kube.ContainerPort{c.port}}}
		image := &kube.AppImage{}
		image.Spec.DeployTemplates = []kube.DeployTemplate{template}
		role := c.role
		if role == "" {
			role = "guest"
		}
		var got []versions.Feature
		for _, need := range ImageNeeds(image, role, strings.Repeat("d", c.deployment)) {
			got = append(got, need.Feature)
			if need.Without == "" || !strings.Contains(need.Instead, "p") {
				t.Errorf("%s: %+v does not say what happens, or what to do", name, need)
			}
			if need.Feature == versions.LongServingIDs && !strings.Contains(need.Instead, `-p" has 64 characters`) {
				t.Errorf("%s: %s", name, need.Instead)
			}
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: needs %v, want %v", name, got, c.want)
		}
	}
}
