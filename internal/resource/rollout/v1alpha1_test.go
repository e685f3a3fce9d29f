package rollout_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
)

// onlyV1Alpha1 lets the resources see a cluster that serves Rollouts only in
// v1alpha1.
func (r *releases) onlyV1Alpha1(t *testing.T) {
	t.Helper()
	config, err := clientcmd.BuildConfigFromFlags("", r.k.KubeconfigPath())
	if err != nil {
		t.Fatal(err)
	}
	transport, err := rest.TransportFor(config)
	if err != nil {
		t.Fatal(err)
	}
	cluster, err := url.Parse(config.Host)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(cluster)
	proxy.Transport = transport
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if strings.HasPrefix(request.URL.Path, "/apis/rollouts.kruise.io/v1beta1") {
			http.Error(w, "404 page not found", http.StatusNotFound)
			return
		}
		request.Host = cluster.Host
		proxy.ServeHTTP(w, request)
	}))
	t.Cleanup(server.Close)
	client, err := kube.New(kube.Config{Host: server.URL, UserAgent: "test"})
	if err != nil {
		t.Fatal(err)
	}
	r.c.Kubernetes.Open = func() (*kube.Client, error) { return client, nil }
}

// TestV1Alpha1: on a cluster that serves only v1alpha1, Rollouts can be created, imported,
// changed and deleted. The plan rejects settings that v1alpha1 does not support.
func TestV1Alpha1(t *testing.T) {
	t.Parallel()
	r := newPlans(t)
	r.onlyV1Alpha1(t)
	green := r.steps(tree{"canary": nil, "blue_green": tree{"steps": []any{tree{"replicas": "100%"}}}})
	if said := r.PlanErrors(t, green); !strings.Contains(said, `ERROR: AttributeName("blue_green")`) || !strings.Contains(said, "v1alpha1 only, which has no strategy.blueGreen") {
		t.Errorf("blue-green: plan: got diagnostics %s", said)
	}
	steps := []any{tree{"replicas": "25%", "traffic": "5%", "matches": []any{tree{"headers": []any{tree{"name": "a", "value": "b"}}}}}, tree{"replicas": "50%"}}
	routed := r.steps(tree{"canary": tree{"steps": steps, "traffic_routing_ref": "routes", "enable_extra_workload_for_canary": true, "failure_threshold": "10%"}})
	state, said := r.ApplyAndVerify(t, routed, r.None())
	if strings.Contains(said, "ERROR") {
		t.Errorf("create: got diagnostics %s", said)
	}
	before := r.quiet(t)
	r.CheckNoDrift(t, routed, r.Imported(t, domain+"/"+r.name))
	if now := r.stored(t); now.GetResourceVersion() != before.GetResourceVersion() || now.GetGeneration() != 1 {
		t.Errorf("generation %d, version %s, was %s", now.GetGeneration(), now.GetResourceVersion(), before.GetResourceVersion())
	}
	state, _ = r.ApplyAndVerify(t, r.steps(nil), state)
	if gone, said := r.Delete(t, state); !gone.Value.IsNull() || said != "" {
		t.Errorf("delete: got diagnostics %s", said)
	}
}
