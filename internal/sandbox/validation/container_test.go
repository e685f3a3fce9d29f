package validation

import (
	"testing"

	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// TestContainer covers values that the app image API stores and Kubernetes
// refuses, with its error texts.
func TestContainer(t *testing.T) {
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
		want string
	}{
		"fine":                       {func(*objects.PodContainer) {}, ""},
		"liveness of two successes":  {func(c *objects.PodContainer) { c.LivenessProbe = exec(twoSuccesses) }, "c.livenessProbe.successThreshold: Invalid value: 2: must be 1"},
		"readiness of two successes": {func(c *objects.PodContainer) { c.ReadinessProbe = exec(twoSuccesses) }, ""},
		"readiness with one":         {func(c *objects.PodContainer) { c.ReadinessProbe = exec(grace) }, "c.readinessProbe.terminationGracePeriodSeconds: Invalid value: 5: must not be set for readinessProbes"},
		"two handlers": {func(c *objects.PodContainer) {
			c.LivenessProbe = exec(func(p *objects.Probe) { p.GRPC = &objects.GRPC{Port: 1} })
		}, "c.livenessProbe.grpc: Forbidden: may not specify more than 1 handler type"},
		"scheme": {func(c *objects.PodContainer) {
			c.ReadinessProbe = get(func(g *objects.HTTPGet) { g.Scheme = "https" })
		}, `c.readinessProbe.httpGet.scheme: Unsupported value: "https": supported values: "HTTP", "HTTPS"`},
		"variables from nothing": {func(c *objects.PodContainer) { c.EnvFrom = []objects.EnvFromSource{{}} }, `c.envFrom[0]: Invalid value: "": must specify one of: ` + "`configMapRef` or `secretRef`"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			made := objects.PodContainer{Name: "c"}
			test.edit(&made)
			problems := container(field.NewPath("c"), &made)
			if (len(problems) > 0) != (test.want != "") || test.want != "" && Message(problems) != test.want {
				t.Errorf("problems %q, want %q", Message(problems), test.want)
			}
		})
	}
}
