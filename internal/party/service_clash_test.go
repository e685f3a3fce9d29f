package party

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// TestServiceClash: two parties whose Services have names with the same prefix
// clash if they have a port of the same name in common.
func TestServiceClash(t *testing.T) {
	t.Parallel()
	ports := func(names ...string) *kuscia.DeployTemplate {
		template := &kuscia.DeployTemplate{Containers: []kuscia.Container{{}}}
		for _, name := range names {
			template.Containers[0].Ports = append(template.Containers[0].Ports, kuscia.ContainerPort{Name: name, Scope: "Cluster"})
		}
		return template
	}
	for name, test := range map[string]struct {
		first, second *kuscia.DeployTemplate
		says          string
		certain       bool
	}{
		"unknown":  {ports("a"), nil, "If both have a port of the same name, Kuscia fails to create the Services of the second one", false},
		"one port": {ports("a", "b"), ports("b", "c"), `Both would create "p-b", and Kuscia fails to create those of the second one`, true},
		"none":     {ports("a"), ports("b"), "", true},
	} {
		clash := ServiceClash{DomainID: "alice", Prefix: "p", Owner: `serving "s"`, Template: test.first, OtherTemplate: test.second}
		summary, detail, certain := clash.Describe()
		if (summary == "") != (test.says == "") || !strings.Contains(detail, test.says) || certain != test.certain {
			t.Errorf("%s: %q, %q, certain %t", name, summary, detail, certain)
		}
		if test.says != "" && !strings.Contains(detail, `of two parties of the serving "s" both start with "p"`) {
			t.Errorf("%s: %q", name, detail)
		}
	}
}
