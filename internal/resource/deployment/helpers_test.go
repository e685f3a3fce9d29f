package deployment_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// cluster is the Kubernetes API of one test, with an app image of one pod.
type cluster struct {
	*acctest.Kube
	t *testing.T
	// name is that of the deployment, and of its app image.
	name string
}

func withImage(t *testing.T, k *acctest.Kube) *cluster {
	t.Helper()
	c := &cluster{Kube: k, t: t, name: k.Name("kd")}
	c.AppImage(c.name, "example/app", "v1", 1)
	c.AppImage(c.name+"-v2", "example/app", "v2", 1)
	c.Sweep(c.name)
	return c
}

// foreignService is a Service that Kuscia does not take over, with the name of one that it
// would create for the party alice of a deployment.
func foreignService(deployment string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Service", "metadata": map[string]any{"namespace": "alice", "name": deployment + "-service"},
		"spec": map[string]any{"ports": []any{map[string]any{"name": "service", "port": int64(80)}}},
	}}
}

func selector(name string) string { return "kuscia.secretflow/kd-name=" + name }

// deployment is the KusciaDeployment; nil if there is none.
func (c *cluster) deployment() *unstructured.Unstructured {
	return c.Get(acctest.KubeKusciaDeployments, acctest.KubeNamespace, c.name)
}

// at is a value of an object.
func at(object *unstructured.Unstructured, fields ...string) any {
	if object == nil {
		return nil
	}
	value, _, _ := unstructured.NestedFieldNoCopy(object.Object, fields...)
	return value
}

// party is the first party of a KusciaDeployment.
func party(object *unstructured.Unstructured, index int) map[string]any {
	parties, _ := at(object, "spec", "parties").([]any)
	if index >= len(parties) {
		return nil
	}
	out, _ := parties[index].(map[string]any)
	return out
}

// image is the reference of the first container of a Deployment.
func imageOf(d *unstructured.Unstructured) string {
	containers, _ := at(d, "spec", "template", "spec", "containers").([]any)
	if len(containers) == 0 {
		return ""
	}
	first, _ := containers[0].(map[string]any)
	text, _ := first["image"].(string)
	return text
}
