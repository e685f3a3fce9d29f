//go:build unix

package faulttest_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccKubeKilled kills the CLI and the provider while an apply updates a
// deployment of a cluster, in the request and in the wait, to an image whose pods
// never start. Nothing was saved by then, and nobody has seen the pods run: the
// next plan says so, its apply waits for them, and going back is one apply.
func TestAccKubeKilled(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("finds processes in /proc")
	}
	for name, asked := range map[string]func(acctest.KubeRequest) bool{
		"in an update": func(r acctest.KubeRequest) bool { return r.IsWrite() },
		"in a wait":    func(r acctest.KubeRequest) bool { return strings.Contains(r.Path, "/deployments/") },
	} {
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
				written := false
				for _, r := range requests.Since() {
					written = written || r.IsWrite()
					if written && asked(r) {
						return true
					}
				}
				return false
			}, func(cli int) {
				providers := children(cli)
				must(syscall.Kill(cli, syscall.SIGKILL))
				for _, pid := range providers {
					must(syscall.Kill(pid, syscall.SIGKILL))
				}
			})
			_ = os.Remove(filepath.Join(w.dir, ".terraform.tfstate.lock.info"))
			k.Eventually(acctest.KubeKusciaDeployments, acctest.KubeNamespace, id, "the other app image", refersTo(id+"-broken"))
			time.Sleep(time.Second) // its phase is Available all the same

			plan, code := w.run(t, "plan", "-no-color", "-input=false", "-detailed-exitcode")
			if code != 2 || !strings.Contains(plan, "rollout_complete") {
				t.Errorf("the next plan does not say that the rollout is not complete (%d):\n%s", code, said(plan))
			}
			if output, code := w.apply(t); code != 1 || !strings.Contains(output, "was updated and does not run") {
				t.Errorf("the next apply has the exit code %d:\n%s", code, said(output))
			}
			write(id)
			if output, code := w.apply(t); code != 0 {
				t.Errorf("going back fails:\n%s", said(output))
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

// refersTo reports whether the first party of a KusciaDeployment has an app image.
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
