package validation

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// TestDeployment: what the recordings do not have; theirs are replayed on both stores.
func TestDeployment(t *testing.T) {
	t.Parallel()
	bounds := func(unavailable, surge string) func(*objects.Deployment) {
		return func(d *objects.Deployment) {
			d.Spec.Strategy.RollingUpdate = &objects.Bounds{MaxUnavailable: new(intstr.Parse(unavailable)), MaxSurge: new(intstr.Parse(surge))}
		}
	}
	for name, test := range map[string]struct {
		edit func(*objects.Deployment)
		want string // "" for none
	}{
		"nothing":       {func(*objects.Deployment) {}, ""},
		"more than all": {bounds("101%", "0"), `spec.strategy.rollingUpdate.maxUnavailable: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"101%"}: must not be greater than 100%`},
		"none at all":   {bounds("0%", "0"), "may not be 0 when `maxSurge` is 0"},
		"another strategy": {func(d *objects.Deployment) { d.Spec.Strategy.Type = "Foo" },
			`spec.strategy: Unsupported value: apps.DeploymentStrategy{Type:"Foo", RollingUpdate:(*apps.RollingUpdateDeployment)(nil)}: supported values: "Recreate", "RollingUpdate"`},
		"a long label twice": {func(d *objects.Deployment) {
			d.Meta.Labels = map[string]string{"a": strings.Repeat("x", 64), "b": strings.Repeat("x", 64)}
		}, `metadata.labels: Invalid value: "` + strings.Repeat("x", 64) + `": must be no more than 63 characters`},
		"a resource that is none": {func(d *objects.Deployment) {
			d.Spec.Template.Spec.Containers = []objects.PodContainer{{Name: "c", Resources: objects.Resources{Limits: map[string]resource.Quantity{"foo": resource.MustParse("1")}}}}
		}, "[spec.template.spec.containers[0].resources.limits[foo]: Invalid value: foo: must be a standard resource type or fully qualified, spec.template.spec.containers[0].resources.limits[foo]: Invalid value: foo: must be a standard resource for containers]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := objects.Deployment{Meta: objects.Meta{Name: "d"}}
			test.edit(&d)
			err := Error("Deployment.apps", "d", Deployment(&d))
			if test.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !strings.HasPrefix(err.Error(), `Deployment.apps "d" is invalid: `) || !strings.HasSuffix(err.Error(), test.want) {
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}
}
