package acctest

import (
	"net/http"
	"os"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubeserver"
)

// KubeServer is a running kubetest program. It ends with this process.
type KubeServer = kubeserver.Server

var sharedKubeServer = sync.OnceValues(func() (*KubeServer, error) {
	dir, err := os.MkdirTemp("", "kubetest-kubeconfig-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	return kubeserver.Start(dir)
})

// must is request for calls that cannot fail.
func (k *Kube) must(method, path string, body any) []byte {
	k.t.Helper()
	if k.Server == nil {
		k.t.Fatalf("%s %s: there is no simulated control plane", method, path)
	}
	ctx, cancel := outOfBand()
	defer cancel()
	response, err := k.Server.Request(ctx, method, path, body)
	if err != nil {
		k.t.Fatalf("calling kubetest: %v", err)
	}
	return response
}

// The simulated controllers.
const (
	KusciaController = "kuscia"
	KruiseController = "kruise" // with its webhook
)

// StopController stops a controller, as if its program were not running. Use a
// separate server (NewKubeServer).
func (k *Kube) StopController(name string) {
	k.t.Helper()
	k.must(http.MethodPut, "controllers/"+name, map[string]any{"stopped": true})
}

// StartController starts a stopped controller again.
func (k *Kube) StartController(name string) {
	k.t.Helper()
	k.must(http.MethodPut, "controllers/"+name, map[string]any{"stopped": false})
}

// SetLag delays the reactions of a controller. Use a separate server
// (NewKubeServer).
func (k *Kube) SetLag(name string, lag time.Duration) {
	k.t.Helper()
	k.must(http.MethodPut, "controllers/"+name, map[string]any{"lag": lag.String()})
}

// SetTimeFactor changes the duration of all steps: 1 is that of real
// controllers. Use a separate server (NewKubeServer).
func (k *Kube) SetTimeFactor(factor float64) {
	k.t.Helper()
	k.must(http.MethodPut, "time", map[string]any{"factor": factor})
}

// KubeRule grants permissions, like a rule of a ClusterRole.
type KubeRule struct {
	APIGroups []string `json:"apiGroups"`
	Resources []string `json:"resources"`
	Verbs     []string `json:"verbs"`
}

// Limit restricts the provider's user to these permissions.
func (k *Kube) Limit(rules ...KubeRule) {
	k.t.Helper()
	if rules == nil {
		rules = []KubeRule{}
	}
	k.must(http.MethodPut, "users/"+k.user+"/rules", rules)
}

// The points at which KubeFault can cut a connection.
const (
	KubeCutBefore = "before" // the request has no effect
	KubeCutAfter  = "after"  // the request takes effect, and the response is lost
)

// KubeFault is a fault for the provider's next matching requests.
type KubeFault struct {
	Verb     string // get, list, create, update, patch, delete, watch; "" matches all
	Resource string // deployments, rollouts, ...; "" matches all
	Name     string // of the object; "" matches all

	Times   int           // how many requests; 0 is 1, -1 all
	Delay   time.Duration // before anything else
	Cut     string        // KubeCutBefore or KubeCutAfter
	Status  int           // an HTTP status instead of the response
	Message string        // with the status

	Body *unstructured.Unstructured // instead of the response: an earlier version of the object, as in a cache
}

// Fault injects a fault into the provider's requests, until the test ends.
func (k *Kube) Fault(fault KubeFault) {
	k.t.Helper()
	request := map[string]any{
		"user": k.user, "verb": fault.Verb, "resource": fault.Resource, "name": fault.Name,
		"times": fault.Times, "delay": fault.Delay.String(), "cut": fault.Cut, "status": fault.Status, "message": fault.Message,
	}
	if fault.Body != nil {
		request["body"] = fault.Body.Object
	}
	k.must(http.MethodPost, "faults", request)
}

// NoFaults removes all faults of this test.
func (k *Kube) NoFaults() {
	k.t.Helper()
	k.must(http.MethodDelete, "faults?user="+k.user, nil)
}
