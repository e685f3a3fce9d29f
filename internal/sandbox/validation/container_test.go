package cluster

import (
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// TestCheckContainer covers values that the app image API stores and Kubernetes
// refuses, with its error texts.
func TestCheckContainer(t *testing.T) {
	t.Parallel()
	exec := func(edit func(*objects.Probe)) *objects.Probe {
		p := &objects.Probe{Exec: &objects.Exec{Command: []string{"true"}}}
		edit(p)
		return p
	}
	get := func(edit func(*objects.HTTPGet)) *objects.Probe {
		g := &objects.HTTPGet{Port: intstr.FromString("p")}
		edit(g)
		return &objects.Probe{HTTPGet: g}
	}
	twoSuccesses := func(p *objects.Probe) { p.SuccessThreshold = 2 }
	grace := func(p *objects.Probe) { p.TerminationGracePeriodSeconds = new(int64(5)) }
	for name, test := range map[string]struct {
		edit func(*objects.PodContainer)
		want []string
	}{
		"fine":                         {func(*objects.PodContainer) {}, nil},
		"liveness of two successes":    {func(c *objects.PodContainer) { c.LivenessProbe = exec(twoSuccesses) }, []string{"c.livenessProbe.successThreshold: Invalid value: 2: must be 1"}},
		"startup of two successes":     {func(c *objects.PodContainer) { c.StartupProbe = exec(twoSuccesses) }, []string{"c.startupProbe.successThreshold: Invalid value: 2: must be 1"}},
		"readiness of two successes":   {func(c *objects.PodContainer) { c.ReadinessProbe = exec(twoSuccesses) }, nil},
		"liveness with a grace period": {func(c *objects.PodContainer) { c.LivenessProbe = exec(grace) }, nil},
		"readiness with one":           {func(c *objects.PodContainer) { c.ReadinessProbe = exec(grace) }, []string{"c.readinessProbe.terminationGracePeriodSeconds: Invalid value: 5: must not be set for readinessProbes"}},
		"negative period":              {func(c *objects.PodContainer) { c.LivenessProbe = exec(func(p *objects.Probe) { p.PeriodSeconds = -1 }) }, []string{"c.livenessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0"}},
		"two handlers": {func(c *objects.PodContainer) {
			c.LivenessProbe = exec(func(p *objects.Probe) { p.GRPC = &objects.GRPC{Port: 1} })
		}, []string{"c.livenessProbe.grpc: Forbidden: may not specify more than 1 handler type"}},
		"no handler":                  {func(c *objects.PodContainer) { c.LivenessProbe = &objects.Probe{} }, []string{"c.livenessProbe: Required value: must specify a handler type"}},
		"no path, which is filled in": {func(c *objects.PodContainer) { c.ReadinessProbe = get(func(*objects.HTTPGet) {}) }, nil},
		"scheme": {func(c *objects.PodContainer) {
			c.ReadinessProbe = get(func(g *objects.HTTPGet) { g.Scheme = "https" })
		}, []string{`c.readinessProbe.httpGet.scheme: Unsupported value: "https": supported values: "HTTP", "HTTPS"`}},
		"variables from nothing": {func(c *objects.PodContainer) { c.EnvFrom = []objects.EnvFromSource{{}} }, []string{`c.envFrom[0]: Invalid value: "": must specify one of: ` + "`configMapRef` or `secretRef`"}},
		"a name that is never found": {func(c *objects.PodContainer) {
			c.EnvFrom = []objects.EnvFromSource{{SecretRef: &objects.ObjectReference{Name: "A_B"}}}
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			container := objects.PodContainer{Name: "c"}
			test.edit(&container)
			if got := checkContainer("c", &container); !slices.Equal(got, test.want) {
				t.Errorf("complaints %q, want %q", got, test.want)
			}
		})
	}
}
