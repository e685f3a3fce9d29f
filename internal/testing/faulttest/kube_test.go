package faulttest_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	kubeschema "k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// kubeKind is a resource in the Kubernetes API. Its object has the name of the
// testbed, and a field with the variable number n of the configuration.
type kubeKind struct {
	typeName, resource, namespace string
	gvr                           kubeschema.GroupVersionResource
	config                        func(b *kubeTestbed, n int64) attrs
	// number is the path of that field.
	number []string
	// also are further calls, by a part of their paths.
	also map[string]map[string]string
}

// kubeKinds are the rows of the matrix.
var kubeKinds = []kubeKind{
	{
		typeName: "kuscia_deployment", resource: "kusciadeployments", namespace: acctest.KubeNamespace, gvr: acctest.KubeKusciaDeployments,
		number: []string{"spec", "inputConfig"},
		config: func(b *kubeTestbed, n int64) attrs {
			return attrs{"name": b.name, "initiator": "alice", "input_config": fmt.Sprint(n), "parties": []any{attrs{"domain_id": "alice", "app_image": b.name}}}
		},
		also: map[string]map[string]string{
			"create": {"app image": "/appimages/", "domain": "/domains/", "wait": "/deployments"}, "update": {"wait": "/deployments"}, "delete": {"left": "/services"},
		},
	},
	{
		typeName: "kuscia_rollout", resource: "rollouts", namespace: "alice", gvr: acctest.KubeRollouts,
		number: []string{"spec", "strategy", "canary", "failureThreshold"},
		config: func(b *kubeTestbed, n int64) attrs {
			return attrs{
				"namespace": "alice", "name": b.name, "workload_ref": attrs{"name": b.name},
				"canary": attrs{"steps": []any{attrs{"replicas": "50%"}, attrs{"replicas": "100%"}}, "failure_threshold": fmt.Sprint(n)},
			}
		},
		also: map[string]map[string]string{"create": {"versions": "/apis/rollouts.kruise.io/v1beta1"}},
	},
	{
		typeName: "kuscia_traffic_routing", resource: "trafficroutings", namespace: "alice", gvr: acctest.KubeTrafficRoutings,
		number: []string{"spec", "strategy", "weight"},
		config: func(b *kubeTestbed, n int64) attrs {
			return attrs{
				"namespace": "alice", "name": b.name, "object_ref": []any{attrs{"service": "s", "ingress": attrs{"name": "i"}}}, "strategy": attrs{"weight": n},
			}
		},
	},
}

// kubeFaults are its columns.
var kubeFaults = map[string]kubeFault{
	"reset before the effect": {},
	"reset after the effect":  {after: true},
	"401":                     {status: 401, body: kubeStatus(401, "Unauthorized", "Unauthorized")},
	"403":                     {status: 403, body: kubeStatus(403, "Forbidden", `x is forbidden: User \"u\" cannot do this`)},
	"409":                     {status: 409, body: kubeStatus(409, "Conflict", "the object has been modified; please apply your changes to the latest version")},
	"429":                     {status: 429, body: kubeStatus(429, "TooManyRequests", "please try again later")},
	"500 of etcd":             {status: 500, body: kubeStatus(500, "InternalError", "etcdserver: request timed out"), after: true},
	"webhook down":            {status: 500, body: kubeStatus(500, "InternalError", `Internal error occurred: failed calling webhook \"vrollout.kb.io\": connect: connection refused`)},
	"502 after the effect":    {status: 502, body: "Bad Gateway", after: true},
	"503":                     {status: 503, body: kubeStatus(503, "ServiceUnavailable", "the server is currently unable to handle the request")},
	"504 after the effect":    {status: 504, body: kubeStatus(504, "Timeout", "Timeout: request did not complete within requested timeout"), after: true},
	"404 of a proxy":          {status: 404, body: "<html>nothing here</html>"},
	"HTML after the effect":   {status: 200, body: "<html>hello</html>", after: true},
	"cut after the effect":    {status: 200, body: `{"apiVersion":`, after: true},
	"stale answer":            {stale: true},
	"Ctrl-C":                  {interrupts: true},
}

func kubeStatus(code int, reason, message string) string {
	return fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":%q,"message":"%s","code":%d}`, reason, message, code)
}

// kubeScenarios are the changes by the user during the fault: the number before
// and after; 0 means no object.
var kubeScenarios = map[string]struct {
	has, wants int64
	method     string
}{
	"create": {0, 1, http.MethodPost}, "update": {1, 2, http.MethodPatch}, "delete": {1, 0, http.MethodDelete}, "read": {1, 1, http.MethodGet},
}

// kubeCase is one cell.
type kubeCase struct {
	kind         kubeKind
	has, wants   int64
	method, path string
	fault        kubeFault
	times        int
}

// kubeCases are the cells by name.
func kubeCases() map[string]kubeCase {
	cases := map[string]kubeCase{}
	for _, kind := range kubeKinds {
		for scenario, is := range kubeScenarios {
			calls := map[string][2]string{is.method: {is.method, "/" + kind.resource}, "any read": {http.MethodGet, "/" + kind.resource}}
			for name, part := range kind.also[scenario] {
				calls[name] = [2]string{http.MethodGet, part}
			}
			for call, where := range calls {
				for name, fault := range kubeFaults {
					for when, times := range map[string]int{"once": 1, "always": -1} {
						reads := where[0] == http.MethodGet
						switch {
						case fault.stale && (!reads || is.has == 0 || times < 0), fault.interrupts && times < 0, reads && fault.after: // impossible combination
						default:
							cases[strings.Join([]string{kind.typeName, scenario, call, name, when}, "/")] = kubeCase{kind, is.has, is.wants, where[0], where[1], fault, times}
						}
					}
				}
			}
		}
	}
	return cases
}

// sampledKubeCases is the number of cells in the short test.
const sampledKubeCases = 12

// TestKubeMatrix injects each fault into each call of the resources of a
// cluster, once and for the whole apply, and checks the next apply.
func TestKubeMatrix(t *testing.T) {
	t.Parallel()
	cases := acctest.Sample(t, sampledKubeCases, kubeCases())
	acctest.NewKube(t).RequirePlayed(t, "the fault is between the provider and its cluster")
	todo := make(chan string)
	var workers sync.WaitGroup
	for range parallelCells {
		workers.Go(func() {
			for name := range todo {
				t.Run(name, func(t *testing.T) { cases[name].run(t) })
			}
		})
	}
	for name := range cases {
		todo <- name
	}
	close(todo)
	workers.Wait()
}

// kubeTestbed is a cluster with a simulated Terraform.
type kubeTestbed struct {
	k         *acctest.Kube
	name      string
	terraform *terraform
	gate      *kubeGate
}

func newKubeTestbed(t *testing.T) *kubeTestbed {
	t.Helper()
	b := &kubeTestbed{k: acctest.NewKube(t)}
	b.name = b.k.Name("ft")
	b.gate = newKubeGate(t, b.k.KubeconfigPath())
	b.terraform = newTerraform(attrs{"max_retries": 1, "kubernetes": attrs{"host": b.gate.url}})
	b.k.AppImage(b.name, "example/app", "v1", 1)
	return b
}

// limits are the time limits of an apply, and of the delete of its object.
type limits struct{ wait, remove string }

// patient are the limits of an apply without faults.
var patient = limits{"2m", "2m"}

// limits are the limits with the fault: short if the apply would wait for the
// end of the fault.
func (c kubeCase) limits() limits {
	switch {
	case c.times == 1:
		return patient
	case c.wants == 0:
		return limits{"2m", "15s"}
	default:
		return limits{"15s", "2m"}
	}
}

// resources are the configuration with a number.
func (b *kubeTestbed) resources(kind kubeKind, n int64, within limits) []resource {
	if n == 0 {
		return nil
	}
	return []resource{{address: kind.typeName + ".test", typeName: kind.typeName, config: func(func(string, string) any) attrs {
		config := kind.config(b, n)
		if kind.typeName != "kuscia_traffic_routing" {
			config["timeouts"] = attrs{"create": within.wait, "update": within.wait, "delete": within.remove}
		}
		return config
	}}}
}

// number is the number in the object; "" if it does not exist.
func (b *kubeTestbed) number(kind kubeKind) string {
	object := b.k.Get(kind.gvr, kind.namespace, b.name)
	if object == nil || object.GetDeletionTimestamp() != nil {
		return ""
	}
	value, _, _ := unstructured.NestedFieldNoCopy(object.Object, kind.number...)
	return fmt.Sprint(value)
}

func (c kubeCase) wanted() string {
	if c.wants == 0 {
		return ""
	}
	return fmt.Sprint(c.wants)
}

// run applies with the fault, compares what is reported as done with the
// cluster, applies again, and checks the result.
func (c kubeCase) run(t *testing.T) {
	t.Helper()
	b := newKubeTestbed(t)
	apply := func(n int64, within limits) *outcome { return b.terraform.apply(b.resources(c.kind, n, within)...) }
	if c.has != 0 {
		before := limits{patient.wait, c.limits().remove}
		if o := apply(c.has, before); !o.ok() {
			t.Fatal(o.text())
		}
		if o, _ := b.terraform.plan(b.resources(c.kind, c.has, before)...); !o.ok() {
			t.Fatal(o.text())
		}
	}
	b.gate.strike(c.method, c.path, c.times, c.fault, b.terraform.stop)
	o := apply(c.wants, c.limits())
	if b.gate.heal() == 0 && !c.fault.stale {
		t.Error("the fault was never injected")
	}
	for _, p := range o.errors {
		if p.summary == providerFault || len(p.detail) < 20 {
			t.Errorf("%s: %s: %s", p.address, p.summary, p.detail)
		}
	}
	if o.ok() && !c.fault.interrupts && b.number(c.kind) != c.wanted() {
		t.Errorf("the apply with the fault succeeded, but the cluster has %q, want %q", b.number(c.kind), c.wanted())
	}
	if after := apply(c.wants, patient); !after.ok() {
		t.Errorf("the next apply failed (%s):\n%s", after.changes(), after.text())
	} else if b.number(c.kind) != c.wanted() {
		t.Errorf("after the next apply the cluster has %q, want %q", b.number(c.kind), c.wanted())
	}
	if plan, _ := b.terraform.plan(b.resources(c.kind, c.wants, patient)...); !plan.ok() || plan.changes() != "" || len(plan.drifted) > 0 {
		t.Errorf("the plan after it is not empty: [%s], drift %v\n%s", plan.changes(), plan.drifted, plan.text())
	}
	if len(b.terraform.state) != min(int(c.wants), 1) {
		t.Errorf("the state has %v", b.terraform.state)
	}
	if t.Failed() {
		t.Logf("the apply with the fault planned [%s] and printed:\n%s", o.changes(), o.text())
	}
	if last := apply(0, patient); !last.ok() || b.number(c.kind) != "" {
		t.Errorf("destroy: %s", last.text())
	}
}
