package faulttest_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

func imageBlock(name string) string {
	return acctest.Block("kuscia_app_image", "test", map[string]any{
		"name": name, "image": map[string]any{"name": "example.com/app", "tag": "1"},
		"deploy_templates": []any{map[string]any{"name": "t", "containers": []any{map[string]any{"name": "main"}}}},
	})
}

// TestAccDestroyWithoutDomain: a destroy that was interrupted after the serving, whose domain
// was then removed elsewhere, names the way out, and that one works.
func TestAccDestroyWithoutDomain(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestReferences"))
	acctest.CLI(t)
	t.Parallel()
	e := acctest.NewSandbox(t, sandbox.Options{Domains: []string{"alice", "carol"}})
	w := e.Initialized(t, imageBlock("app")+acctest.Block("kuscia_serving", "test", map[string]any{
		"serving_id": "test", "initiator": "carol", "wait_for_rollout": false,
		"parties": map[string]any{"carol": map[string]any{"app_image": acctest.Reference("kuscia_app_image.test.name")}},
	}))
	w.Apply()
	w.Run(0, "destroy", "-auto-approve", "-input=false", "-target=kuscia_serving.test")
	e.Do(func(ctx context.Context, api *kuscia.Client) error { return api.DeleteDomain(ctx, "carol") })()
	output := acctest.Plain(w.Run(1, "destroy", "-auto-approve", "-input=false"))
	for _, text := range []string{`Kuscia has no domain "carol"`, `"terraform destroy -refresh=false" skips that`} {
		if !strings.Contains(output, text) {
			t.Errorf("%q is not in the output of the destroy: %s", text, output)
		}
	}
	w.Run(0, "destroy", "-auto-approve", "-input=false", "-refresh=false")
	e.Do(func(ctx context.Context, api *kuscia.Client) error {
		if _, err := api.QueryAppImage(ctx, "app"); !errors.Is(err, kuscia.ErrNotFound) {
			t.Errorf("the app image: %v", err)
		}
		return nil
	})()
}

// TestAccDestroyNamesUsers: the destroy of an app image that a deployment of another configuration
// uses says so.
func TestAccDestroyNamesUsers(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestUsersInCluster"))
	acctest.CLI(t)
	t.Parallel()
	e, k := acctest.NewSandbox(t, sandbox.Options{}), acctest.NewKube(t)
	name := k.Name("users")
	w := acctest.NewWorkspace(t, e.OnCluster(k))
	w.Write("main.tf", imageBlock(name))
	w.Init()
	w.Apply()
	k.Create(acctest.KubeKusciaDeployments, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kuscia.secretflow/v1alpha1", "kind": "KusciaDeployment",
		"metadata": map[string]any{"namespace": acctest.KubeNamespace, "name": name},
		"spec":     map[string]any{"initiator": "alice", "inputConfig": "{}", "parties": []any{map[string]any{"domainID": "alice", "appImageRef": name}}},
	}})
	output := acctest.Plain(w.Run(0, "destroy", "-auto-approve", "-input=false"))
	for _, text := range []string{"App image is still used", "app image \"" + name + "\"", "KusciaDeployment \"" + name + "\""} {
		if !strings.Contains(output, text) {
			t.Errorf("%q is not in the output of the destroy: %s", text, output)
		}
	}
}
