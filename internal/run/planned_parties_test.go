package run

import (
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
)

// TestPlannedParties: a Deployment is known by its name, a Service by the prefix of its name, and
// nothing that is not known yet.
func TestPlannedParties(t *testing.T) {
	t.Parallel()
	var p PlannedParties
	p.Record("alice", "glm", "api")
	p.Record("bob", "", "")
	for name, test := range map[string]struct {
		kind            kube.Kind
		namespace, name string
		want            bool
	}{
		"the Deployment":          {kube.Deployments, "alice", "glm", true},
		"in another domain":       {kube.Deployments, "bob", "glm", false},
		"another Deployment":      {kube.Deployments, "alice", "glm-host", false},
		"a Service":               {kube.Services, "alice", "api-service", true},
		"a Service in bob":        {kube.Services, "bob", "api-service", false},
		"another Service":         {kube.Services, "alice", "glm-service", false},
		"of what is not known":    {kube.Deployments, "bob", "", false},
		"a kind without a prefix": {kube.ConfigMaps, "alice", "glm", false},
	} {
		if got := p.Makes(test.kind, test.namespace, test.name); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
