package cluster

import (
	"slices"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// TestCheckContainer covers values that the app image API stores and Kubernetes
// refuses, with its error texts.
func TestCheckContainer(t *testing.T) {
	t.Parallel()
	exec := func(edit func(*kuscia.Probe)) *kuscia.Probe {
		p := &kuscia.Probe{Exec: &kuscia.ExecAction{Command: []string{"true"}}}
		edit(p)
		return p
	}
	get := func(edit func(*kuscia.HTTPGetAction)) *kuscia.Probe {
		g := &kuscia.HTTPGetAction{Port: "p"}
		edit(g)
		return &kuscia.Probe{HTTPGet: g}
	}
	twoSuccesses := func(p *kuscia.Probe) { p.SuccessThreshold = 2 }
	grace := func(p *kuscia.Probe) { p.TerminationGracePeriodSeconds = 5 }
	for name, test := range map[string]struct {
		edit func(*kuscia.Container)
		want []string
	}{
		"fine":                         {func(*kuscia.Container) {}, nil},
		"liveness of two successes":    {func(c *kuscia.Container) { c.LivenessProbe = exec(twoSuccesses) }, []string{"c.livenessProbe.successThreshold: Invalid value: 2: must be 1"}},
		"startup of two successes":     {func(c *kuscia.Container) { c.StartupProbe = exec(twoSuccesses) }, []string{"c.startupProbe.successThreshold: Invalid value: 2: must be 1"}},
		"readiness of two successes":   {func(c *kuscia.Container) { c.ReadinessProbe = exec(twoSuccesses) }, nil},
		"liveness with a grace period": {func(c *kuscia.Container) { c.LivenessProbe = exec(grace) }, nil},
		"readiness with one":           {func(c *kuscia.Container) { c.ReadinessProbe = exec(grace) }, []string{"c.readinessProbe.terminationGracePeriodSeconds: Invalid value: 5: must not be set for readinessProbes"}},
		"negative period":              {func(c *kuscia.Container) { c.LivenessProbe = exec(func(p *kuscia.Probe) { p.PeriodSeconds = -1 }) }, []string{"c.livenessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0"}},
		"two handlers": {func(c *kuscia.Container) {
			c.LivenessProbe = exec(func(p *kuscia.Probe) { p.GRPC = &kuscia.GRPCAction{Port: 1} })
		}, []string{"c.livenessProbe.grpc: Forbidden: may not specify more than 1 handler type"}},
		"no handler":                  {func(c *kuscia.Container) { c.LivenessProbe = &kuscia.Probe{} }, []string{"c.livenessProbe: Required value: must specify a handler type"}},
		"no path, which is filled in": {func(c *kuscia.Container) { c.ReadinessProbe = get(func(*kuscia.HTTPGetAction) {}) }, nil},
		"scheme": {func(c *kuscia.Container) {
			c.ReadinessProbe = get(func(g *kuscia.HTTPGetAction) { g.Scheme = "https" })
		}, []string{`c.readinessProbe.httpGet.scheme: Unsupported value: "https": supported values: "HTTP", "HTTPS"`}},
		"variables from nothing": {func(c *kuscia.Container) { c.EnvFrom = []kuscia.EnvFromSource{{}} }, []string{`c.envFrom[0]: Invalid value: "": must specify one of: ` + "`configMapRef` or `secretRef`"}},
		"a name that is never found": {func(c *kuscia.Container) {
			c.EnvFrom = []kuscia.EnvFromSource{{SecretRef: &kuscia.ObjectSource{Name: "A_B"}}}
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			container := kuscia.Container{Name: "c"}
			test.edit(&container)
			if got := checkContainer("c", container); !slices.Equal(got, test.want) {
				t.Errorf("complaints %q, want %q", got, test.want)
			}
		})
	}
}
