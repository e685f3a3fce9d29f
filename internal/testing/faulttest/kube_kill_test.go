//go:build unix

package faulttest_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
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
	for name, waits := range map[string]bool{"after the write": false, "in a wait": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := acctest.NewKube(t)
			k.RequirePlayed(t, "an image that never starts")
			id := k.Name("ft")
			k.AppImage(id, "example/app", "v1", 1)
			k.AppImage(id+"-broken", "example/broken", "v2", 1)
			w := newCLI(t)
			write := func(image string) {
				w.write(attrs{"kubernetes": attrs{"config_path": k.KubeconfigPath()}}, []resource{{
					address: "kuscia_deployment.test", typeName: "kuscia_deployment", config: func(func(string, string) any) attrs {
						return attrs{
							"name": id, "initiator": "alice", "timeouts": attrs{"update": "10s"},
							"parties": []any{attrs{"domain_id": "alice", "app_image": image}},
						}
					},
				}})
			}
			write(id)
			if output, code := w.apply(t); code != 0 {
				t.Fatal(said(output))
			}

			write(id + "-broken")
			requests := k.CountRequests()
			w.strikeDuring(t, func() bool {
				return refersTo(id+"-broken")(k.Get(acctest.KubeKusciaDeployments, acctest.KubeNamespace, id)) &&
					(!waits || slices.ContainsFunc(requests.Since(), func(r acctest.KubeRequest) bool { return strings.Contains(r.Path, "/deployments/") }))
			}, func(cli int) {
				providers := children(cli)
				must(syscall.Kill(cli, syscall.SIGKILL))
				for _, pid := range providers {
					must(syscall.Kill(pid, syscall.SIGKILL))
				}
			})
			_ = os.Remove(filepath.Join(w.dir, ".terraform.tfstate.lock.info"))
			time.Sleep(time.Second) // its phase is Available all the same

			plan, code := w.run(t, "plan", "-no-color", "-input=false", "-detailed-exitcode")
			if code != 2 || !strings.Contains(plan, "rollout_complete") {
				t.Errorf("the next plan does not show an incomplete rollout (%d):\n%s", code, said(plan))
			}
			if output, code := w.apply(t); code != 1 || !strings.Contains(output, "was updated but does not run") {
				t.Errorf("the next apply has the exit code %d:\n%s", code, said(output))
			}
			write(id)
			if output, code := w.apply(t); code != 0 {
				t.Errorf("the rollback fails:\n%s", said(output))
			}
			if plan, code := w.run(t, "plan", "-no-color", "-input=false", "-detailed-exitcode"); code != 0 {
				t.Errorf("the plan after it is not empty:\n%s", said(plan))
			}
			if output, code := w.run(t, "destroy", "-no-color", "-input=false", "-auto-approve"); code != 0 {
				t.Errorf("the destroy fails:\n%s", said(output))
			}
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
