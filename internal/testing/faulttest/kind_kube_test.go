package faulttest_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	kubeschema "k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/faults"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// kubeKind is objects in a cluster, with the name of the testbed and a variable number in a field.
func kubeKind(typeName, namespace string, gvr kubeschema.GroupVersionResource, field []string, config func(name string, n int) attrs) objectKind {
	return objectKind{
		typeName: typeName, api: "kube", plural: gvr.Resource, start: startKube,
		calls: map[string][]string{
			"create": {"POST /" + gvr.Resource, "GET /" + gvr.Resource + "/NAME"},
			"update": {"PATCH /NAME", "GET /" + gvr.Resource + "/NAME"}, "delete": {"DELETE /NAME", "GET /" + gvr.Resource + "/NAME"},
		},
		config: func(o objectSpec, c configuration) attrs {
			of := config(c.prefix, o.n)
			if typeName != "kuscia_traffic_routing" {
				of["timeouts"] = attrs{"create": c.timeout, "update": c.timeout, "delete": "10s"}
			}
			return of
		},
		stored: func(b *testbed, o objectSpec) string {
			object := b.cluster.Get(gvr, namespace, b.name)
			if o.name != objectNames[0] || object == nil || object.GetDeletionTimestamp() != nil {
				return ""
			}
			value, _, _ := unstructured.NestedFieldNoCopy(object.Object, field...)
			return fmt.Sprint(value)
		},
		desired: func(o objectSpec) string { return fmt.Sprint(o.n) },
	}
}

func init() {
	deployment := kubeKind("kuscia_deployment", acctest.KubeNamespace, acctest.KubeKusciaDeployments, []string{"spec", "inputConfig"}, func(name string, n int) attrs {
		return attrs{"name": name, "initiator": "alice", "input_config": fmt.Sprint(n), "parties": attrs{"alice": attrs{"app_image": name}}}
	})
	deployment.calls["create"] = append(deployment.calls["create"], "GET /appimages/NAME", "GET /domains/alice", "GET /deployments/NAME")
	deployment.calls["update"] = append(deployment.calls["update"], "GET /deployments/NAME")
	deployment.calls["delete"] = append(deployment.calls["delete"], "GET /services")
	registerKind(deployment)
	rollout := kubeKind("kuscia_rollout", "alice", acctest.KubeRollouts, []string{"spec", "strategy", "canary", "failureThreshold"}, func(name string, n int) attrs {
		return attrs{
			"namespace": "alice", "name": name, "workload_ref": attrs{"name": name},
			"canary": attrs{"steps": []any{attrs{"replicas": "50%"}, attrs{"replicas": "100%"}}, "failure_threshold": fmt.Sprint(n)},
		}
	})
	rollout.calls["create"] = append(rollout.calls["create"], "GET /apis/rollouts.kruise.io/v1beta1")
	registerKind(rollout)
	registerKind(kubeKind("kuscia_traffic_routing", "alice", acctest.KubeTrafficRoutings, []string{"spec", "strategy", "weight"}, func(name string, n int) attrs {
		return attrs{"namespace": "alice", "name": name, "object_ref": []any{attrs{"service": "s", "ingress": attrs{"name": "i"}}}, "strategy": attrs{"weight": n}}
	}))
}

// kubeProxy is in front of a Kubernetes API. It implements faults.API.
type kubeProxy struct {
	httputil.ReverseProxy

	mu sync.Mutex
	// read are the last responses to reads, by path.
	read map[string][]byte
}

// staleAnswer returns the previous version of an object, as an API server with a delayed cache does.
const staleAnswer faults.Kind = "stale_answer"

// Behavior implements faults.API.
func (p *kubeProxy) Behavior(kind faults.Kind) faults.Behavior {
	if kind == staleAnswer {
		return faults.Fails
	}
	return faults.UnknownKind
}

// Snapshot implements faults.API.
func (p *kubeProxy) Snapshot(faults.Fault) any {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.read)
}

// snapshot is the key of a snapshot in a context.
type snapshot struct{}

// Apply implements faults.API.
func (p *kubeProxy) Apply(r *http.Request, _ faults.Fault, read any) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), snapshot{}, read))
}

// Fail implements faults.API.
func (p *kubeProxy) Fail(w http.ResponseWriter, r *http.Request, _ faults.Fault, _ []byte) {
	read, _ := r.Context().Value(snapshot{}).(map[string][]byte)
	if stale := read[r.URL.Path]; stale != nil {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(stale)
		return
	}
	p.ServeHTTP(w, r)
}

// EndlessPrefix implements faults.API.
func (p *kubeProxy) EndlessPrefix() string { return `{"kind":"` }

// remember stores the response to a read.
func (p *kubeProxy) remember(r *http.Response) error {
	if r.Request.Method != http.MethodGet || r.StatusCode != http.StatusOK {
		return nil
	}
	body, err := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	p.mu.Lock()
	defer p.mu.Unlock()
	p.read[r.Request.URL.Path] = body
	return err
}

func startKube(t *testing.T, k objectKind) *testbed {
	t.Helper()
	b := &testbed{cluster: acctest.NewKube(t), kinds: []objectKind{k}}
	b.cluster.RequireSimulated(t, "the fault is between the provider and its cluster")
	b.name = b.cluster.Name("ft")
	b.cluster.AppImage(b.name, "example/app", "v1", 1)
	config, err := clientcmd.BuildConfigFromFlags("", b.cluster.KubeconfigPath())
	must(err)
	transport, err := rest.TransportFor(config)
	must(err)
	cluster, err := url.Parse(config.Host)
	must(err)
	p := &kubeProxy{read: map[string][]byte{}}
	p.Rewrite, p.Transport, p.ModifyResponse = func(r *httputil.ProxyRequest) { r.SetURL(cluster); r.Out.Header.Del("Authorization") }, transport, p.remember
	p.ErrorLog = log.New(io.Discard, "", 0) // requests that the provider cancels
	list, stopped := faults.NewList(p, 0), make(chan struct{})
	b.faults, b.handler = list, faults.Handler(list, faults.NewRecorder(-1), stopped, p)
	server := httptest.NewServer(b.handler)
	t.Cleanup(func() { close(stopped); server.Close() })
	b.endpoint = server.URL
	return b.configured()
}
