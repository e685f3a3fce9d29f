//go:build unix

package faulttest_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccKubeKilled kills the CLI and the provider while an apply updates a
// deployment in a cluster, right after the write and during the wait, to an image
// whose pods never start. The state was not saved, and the pods were not
// observed running: the next plan shows that, its apply waits for them, and a
// rollback needs one apply.
func TestAccKubeKilled(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("finds processes in /proc")
	}
	for name, waits := range acctest.Sample(t, 1, map[string]bool{"after the write": false, "in a wait": true}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := acctest.NewKube(t)
			k.RequireSimulated(t, "an image that never starts")
			id := k.Name("ft")
			k.AppImage(id, "example/app", "v1", 1)
			k.AppImage(id+"-broken", "example/broken", "v2", 1)
			w := newCLI(t)
			write := func(image string) {
				w.write(attrs{"kubernetes": attrs{"config_path": k.KubeconfigPath()}}, []resource{{
					address: "kuscia_deployment.test", typeName: "kuscia_deployment", config: func(func(string, string) any) attrs {
						return attrs{
							"name": id, "initiator": "alice", "timeouts": attrs{"update": "10s"},
							"parties": attrs{"alice": attrs{"app_image": image}},
						}
					},
				}})
			}
			write(id)
			w.must(t, "apply", "-input=false", "-auto-approve")

			write(id + "-broken")
			requests := k.CountRequests()
			w.interruptDuring(t, func() bool {
				return refersTo(id+"-broken")(k.Get(acctest.KubeKusciaDeployments, acctest.KubeNamespace, id)) &&
					(!waits || slices.ContainsFunc(requests.Since(), func(r acctest.KubeRequest) bool { return strings.Contains(r.Path, "/deployments/") }))
			}, killBoth)
			_ = os.Remove(filepath.Join(w.dir, ".terraform.tfstate.lock.info"))
			time.Sleep(time.Second) // its phase is Available all the same

			plan, code := w.run(t, "plan", "-no-color", "-input=false", "-detailed-exitcode")
			if code != 2 || !strings.Contains(plan, "rollout_complete") {
				t.Errorf("the next plan does not show an incomplete rollout (%d):\n%s", code, withoutLog(plan))
			}
			if output, code := w.apply(t); code != 1 || !strings.Contains(output, "still does not run") {
				t.Errorf("the next apply has the exit code %d:\n%s", code, withoutLog(output))
			}
			write(id)
			w.must(t, "apply", "-input=false", "-auto-approve")
			w.must(t, "plan", "-input=false", "-detailed-exitcode")
			w.must(t, "destroy", "-auto-approve")
		})
	}
}

// refersTo reports whether the first party of a KusciaDeployment uses an app
// image.
func refersTo(image string) func(*unstructured.Unstructured) bool {
	return func(kd *unstructured.Unstructured) bool {
		if kd == nil {
			return false
		}
		parties, _, _ := unstructured.NestedSlice(kd.Object, "spec", "parties")
		first, _ := parties[0].(map[string]any)
		return first["appImageRef"] == image
	}
}
