package deployment_test

import (
	"net/http"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccDeployment_lostCreateWithoutRefresh: without a refresh, a destroy and a
// replacement delete a deployment whose create has lost its response only if it is
// certainly that of the create. A write-only text cannot be compared.
func TestAccDeployment_lostCreateWithoutRefresh(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	t.Parallel()
	for name, test := range map[string]struct {
		top    string
		change string // by another client
		ours   bool
	}{
		"ours":               {ours: true},
		"somebody else's":    {change: `{"spec":{"inputConfig":"theirs"}}`},
		"with a hidden text": {top: lines(`input_config_wo = "hidden"`, `input_config_wo_version = 1`)},
	} {
		for _, replace := range []bool{false, true} {
			when := map[bool]string{false: "destroy", true: "replacement"}[replace]
			t.Run(name+", "+when, func(t *testing.T) {
				t.Parallel()
				if test.top != "" {
					acctest.RequireWriteOnly(t)
				}
				c := newCluster(t)
				c.RequireSimulated(t, "faults")
				w := acctest.NewWorkspace(t, acctest.Factories(c.Variables()))
				w.Write("main.tf", c.hcl(conf{top: lines(test.top, `timeouts = { create = "5s" }`)}))
				w.Init()
				c.Fault(acctest.KubeFault{Verb: "create", Resource: "kusciadeployments", Cut: acctest.KubeCutAfter})
				c.Fault(acctest.KubeFault{Verb: "get", Resource: "kusciadeployments", Times: -1, Status: http.StatusForbidden, Message: "no"})
				w.Run(1, "apply", "-auto-approve", "-input=false")
				c.NoFaults()
				if test.change != "" {
					c.Patch(acctest.KubeKusciaDeployments, acctest.KubeNamespace, c.name, types.MergePatchType, test.change)
				}
				before := c.deployment()
				w.Write("main.tf", c.hcl(conf{top: test.top}))
				command, code := "destroy", 0
				if replace {
					command = "apply"
				}
				if replace && !test.ours {
					code = 1 // it exists
				}
				imports := `to = kuscia_deployment.NAME id = "` + c.name + `"`
				output := acctest.Plain(w.Run(code, command, "-auto-approve", "-input=false", "-refresh=false"))
				if strings.Contains(output, "was not deleted") == test.ours || strings.Contains(output, imports) == test.ours {
					t.Errorf("it says %s", output)
				}
				after := c.deployment()
				if kept := after != nil && after.GetUID() == before.GetUID(); kept == test.ours {
					t.Errorf("the KusciaDeployment is kept: %t", kept)
				}
			})
		}
	}
}

// TestAccDeployment_lostCreate: a refresh removes a deployment from the state that is not
// certainly that of a create whose response was lost.
func TestAccDeployment_lostCreate(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	t.Parallel()
	acctest.RequireWriteOnly(t)
	c := newCluster(t)
	c.RequireSimulated(t, "faults")
	w := acctest.NewWorkspace(t, acctest.Factories(c.Variables()))
	w.Write("main.tf", c.hcl(conf{top: lines(`input_config_wo = "hidden"`, `input_config_wo_version = 1`, `timeouts = { create = "5s" }`)}))
	w.Init()
	c.Fault(acctest.KubeFault{Verb: "create", Resource: "kusciadeployments", Cut: acctest.KubeCutAfter})
	c.Fault(acctest.KubeFault{Verb: "get", Resource: "kusciadeployments", Times: -1, Status: http.StatusForbidden, Message: "no"})
	w.Run(1, "apply", "-auto-approve", "-input=false")
	c.NoFaults()
	output := acctest.Plain(w.Run(0, "apply", "-refresh-only", "-auto-approve", "-input=false"))
	if !strings.Contains(output, "was removed from the state") || !strings.Contains(output, `to = kuscia_deployment.NAME id = "`+c.name+`"`) {
		t.Errorf("it says %s", output)
	}
	if c.deployment() == nil {
		t.Error("the KusciaDeployment was deleted")
	}
}

func lines(text ...string) string { return strings.Join(text, "\n  ") }
