package faulttest_test

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

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

// kubeKinds are the rows of the matrix. kuscia_rollout_approval is none of them: it has no object
// of its own, reads nothing, and its delete sends nothing, so that a cell could not compare the
// state with the cluster. In resource/rollout, TestLostApproval stands for requests without a
// response, TestOverwrittenApproval for lost effects, TestTimeLimit and
// TestResumedWaitOfEndedRelease for waits that end before their time, and TestNotApproved for
// releases that are not as expected.
var kubeKinds = []kubeKind{
	{
		typeName: "kuscia_deployment", resource: "kusciadeployments", namespace: acctest.KubeNamespace, gvr: acctest.KubeKusciaDeployments,
		number: []string{"spec", "inputConfig"},
		config: func(b *kubeTestbed, n int64) attrs {
			return attrs{"name": b.name, "initiator": "alice", "input_config": fmt.Sprint(n), "parties": attrs{"alice": attrs{"app_image": b.name}}}
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
	"down for 4 s":            {down: 4 * time.Second},
}

func kubeStatus(code int, reason, message string) string {
	return fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":%q,"message":"%s","code":%d}`, reason, message, code)
}

// kubeScenarios are the changes by the user during the fault: the number before
// and after; 0 means no object.
var kubeScenarios = map[string]struct {
	initial, desired int64
	method           string
}{
	"create": {0, 1, http.MethodPost}, "update": {1, 2, http.MethodPatch}, "delete": {1, 0, http.MethodDelete}, "read": {1, 1, http.MethodGet},
}

// kubeCase is one cell.
type kubeCase struct {
	kind             kubeKind
	initial, desired int64
	method, path     string
	fault            kubeFault
	times            int
}

// kubeCases are the cells by name.
func kubeCases() map[string]kubeCase {
	cases := map[string]kubeCase{}
	for _, kind := range kubeKinds {
		for scenario, change := range kubeScenarios {
			calls := map[string][2]string{change.method: {change.method, "/" + kind.resource}, "any read": {http.MethodGet, "/" + kind.resource}}
			for name, part := range kind.also[scenario] {
				calls[name] = [2]string{http.MethodGet, part}
			}
			for call, where := range calls {
				for name, fault := range kubeFaults {
					for when, times := range map[string]int{"once": 1, "always": -1} {
						reads := where[0] == http.MethodGet
						switch {
						case fault.stale && (!reads || change.initial == 0 || times < 0), (fault.interrupts || fault.down > 0) && times < 0, reads && fault.after: // impossible combination
						default:
							cases[strings.Join([]string{kind.typeName, scenario, call, name, when}, "/")] = kubeCase{kind, change.initial, change.desired, where[0], where[1], fault, times}
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
	acctest.NewKube(t).RequireSimulated(t, "the fault is between the provider and its cluster")
	runParallel(t, maps.All(cases), func(t *testing.T, c kubeCase) { c.run(t) })
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
	b.terraform = newTerraform(attrs{"max_retries": 1, "kubernetes": attrs{"host": b.gate.front.endpoint()}})
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
	case c.desired == 0:
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

// differences compares the number in the object with the desired one.
func (b *kubeTestbed) differences(kind kubeKind, desired int64) []string {
	want := ""
	if desired != 0 {
		want = fmt.Sprint(desired)
	}
	if got := b.number(kind); got != want {
		return []string{fmt.Sprintf("the cluster has %q, want %q", got, want)}
	}
	return nil
}

// run runs the case, and destroys the object.
func (c kubeCase) run(t *testing.T) {
	t.Helper()
	b := newKubeTestbed(t)
	if c.initial != 0 {
		before := b.resources(c.kind, c.initial, limits{patient.wait, c.limits().remove})
		if o := b.terraform.apply(before...); !o.ok() {
			t.Fatal(o.text())
		}
		if o, _ := b.terraform.plan(before...); !o.ok() {
			t.Fatal(o.text())
		}
	}
	hits := faultCase{
		inject: func() func() int {
			b.gate.inject(c.method, c.path, c.times, c.fault, b.terraform.stop)
			return b.gate.stopFault
		},
		apply:       func() *outcome { return b.terraform.applyChecked(t, b.resources(c.kind, c.desired, c.limits())) },
		interrupts:  c.fault.interrupts,
		differences: func() []string { return b.differences(c.kind, c.desired) },
		converge: func() {
			b.terraform.checkConverges(t, b.resources(c.kind, c.desired, patient), func() []string { return b.differences(c.kind, c.desired) })
		},
	}.run(t)
	if hits == 0 && !c.fault.stale {
		t.Error("the fault was never injected")
	}
	if last := b.terraform.applyAfterFault(t, nil); !last.ok() || b.number(c.kind) != "" {
		t.Errorf("destroy: %s", last.text())
	}
}
