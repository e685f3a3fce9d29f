package sandbox

import (
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// TestUnusableAppImages covers servings that cannot run: the Deployment is
// refused, or its pods never start.
func TestUnusableAppImages(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		edit           func(*kuscia.AppImage)
		phase, message string
	}{
		"probe": {func(i *kuscia.AppImage) {
			i.DeployTemplates[0].Containers[0].LivenessProbe = &kuscia.Probe{Exec: &kuscia.ExecAction{Command: []string{"a"}}, SuccessThreshold: 2}
		}, kuscia.StateFailed, `Deployment.apps "s" is invalid: spec.template.spec.containers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1`},
		"image": {func(i *kuscia.AppImage) { i.Image.Name = "corp/x:1.0" }, kuscia.StateProgressing, `couldn't parse image name "corp/x:1.0:1": invalid reference format`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := frozen(t, Options{})
			image := kuscia.AppImage{Name: "app", Image: kuscia.AppImageInfo{Name: "corp/x", Tag: "1"}, DeployTemplates: []kuscia.DeployTemplate{{Name: "t", Replicas: 1, Containers: []kuscia.Container{{Name: "c"}}}}}
			test.edit(&image)
			must(t, s.PutAppImage(image))
			put(t, s, "s", party("alice", imageV1, 1), party("bob", "app", 1))
			s.Advance(time.Minute)
			status := statusOf(s, "s")
			if status.State != test.phase || !strings.Contains(status.Message, test.message) {
				t.Errorf("%s: %s", status.State, status.Message)
			}
		})
	}
}
