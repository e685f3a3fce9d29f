package kubetest_test

import (
	"testing"

	"k8s.io/client-go/discovery"
)

// TestShortNames: kubectl knows the kinds of Kubernetes by the names that people type.
func TestShortNames(t *testing.T) {
	t.Parallel()
	client, err := discovery.NewDiscoveryClientForConfig(server.Config("kr-test"))
	if err != nil {
		t.Fatal(err)
	}
	short := map[string]string{}
	for _, version := range []string{"v1", "apps/v1"} {
		resources, err := client.ServerResourcesForGroupVersion(version)
		if err != nil {
			t.Fatal(err)
		}
		for _, resource := range resources.APIResources {
			for _, name := range resource.ShortNames {
				short[name] = resource.Name
			}
		}
	}
	for name, want := range map[string]string{
		"cm": "configmaps", "deploy": "deployments", "ev": "events", "ns": "namespaces", "po": "pods", "rs": "replicasets", "svc": "services",
	} {
		if short[name] != want {
			t.Errorf("%s is %q, want %q", name, short[name], want)
		}
	}
}
