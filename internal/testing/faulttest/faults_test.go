package faulttest_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
)

// fault is a failure that is injected into a call.
type fault struct {
	name string
	// inject is the fault as the sandbox injects it. A server that is down until
	// the end of the apply (stop) is made by a gate in front of the sandbox.
	inject sandbox.Fault
	stop   serverStop
	// interrupts is set if Ctrl-C is pressed during the call.
	interrupts bool
	// on is the API that has the fault, "" for each. echoes is set if it returns secrets, and reads
	// if it affects nothing but reads.
	on            string
	echoes, reads bool
	// longOnly excludes the fault from the short matrix.
	longOnly bool
}

// echoed is all that the server has received.
var echoed = "token " + plantedToken + ", header " + plantedHeader + ", key " + plantedKey + ", config " + servingSpec{}.inputConfig()

// columns are the faults of the matrix.
var columns = []fault{
	{name: "reset before the effect", inject: sandbox.Fault{Kind: sandbox.FaultReset}},
	{name: "reset after the effect", inject: sandbox.Fault{Kind: sandbox.FaultReset, AfterEffect: true}},
	{name: "time-out after the effect", inject: sandbox.Fault{Kind: sandbox.FaultTimeout, AfterEffect: true}},
	{name: "500", inject: sandbox.Fault{Kind: sandbox.FaultStatus, Status: http.StatusInternalServerError}},
	{name: "502", inject: sandbox.Fault{Kind: sandbox.FaultStatus, Status: http.StatusBadGateway}},
	{name: "503 with Retry-After", inject: sandbox.Fault{Kind: sandbox.FaultStatus, Status: http.StatusServiceUnavailable, RetryAfter: time.Second}},
	{name: "429", inject: sandbox.Fault{Kind: sandbox.FaultStatus, Status: http.StatusTooManyRequests}},
	{name: "truncated body", inject: sandbox.Fault{Kind: sandbox.FaultTruncated}},
	{name: "empty body", inject: sandbox.Fault{Kind: sandbox.FaultEmpty}},
	{name: "HTML body", inject: sandbox.Fault{Kind: sandbox.FaultHTML}},
	{name: "wrong content type", inject: sandbox.Fault{Kind: sandbox.FaultContentType}},
	{name: "401", inject: sandbox.Fault{Kind: sandbox.FaultUnauthorized}},
	{name: "11103", on: "kuscia", inject: sandbox.Fault{Kind: sandbox.FaultMasterFailed}},
	{name: "conflict", on: "kuscia", inject: sandbox.Fault{Kind: sandbox.FaultConflict}},
	{name: "etcd time-out", on: "kuscia", inject: sandbox.Fault{Kind: sandbox.FaultEtcdTimeout}},
	{name: "panic 11101", on: "kuscia", inject: sandbox.Fault{Kind: sandbox.FaultPanic}},
	{name: "slow response", inject: sandbox.Fault{Kind: sandbox.FaultSlow, Delay: 100 * time.Millisecond}},
	{name: "echo in a message", on: "kuscia", echoes: true, inject: sandbox.Fault{Kind: sandbox.FaultCode, Message: echoed}},
	{name: "echo in a page", on: "kuscia", echoes: true, inject: sandbox.Fault{Kind: sandbox.FaultBody, Status: http.StatusBadGateway, ContentType: "text/html", Body: "<html>" + echoed}},
	{name: "Ctrl-C", interrupts: true, inject: sandbox.Fault{Kind: sandbox.FaultLatency, Delay: 300 * time.Millisecond}},
	{name: "server down before the effect", stop: stopBeforeEffect},
	{name: "server down after the effect", stop: stopAfterEffect},

	{name: "time-out before the effect", longOnly: true, inject: sandbox.Fault{Kind: sandbox.FaultTimeout}},
	{name: "502 after the effect", longOnly: true, inject: sandbox.Fault{Kind: sandbox.FaultStatus, Status: http.StatusBadGateway, AfterEffect: true}},
	{name: "HTML body after the effect", longOnly: true, inject: sandbox.Fault{Kind: sandbox.FaultHTML, AfterEffect: true}},
	{name: "11103 after the effect", on: "kuscia", longOnly: true, inject: sandbox.Fault{Kind: sandbox.FaultCode, AfterEffect: true, Code: 11103, Message: "request master failed, EOF"}},
	{name: "etcd time-out after the effect", on: "kuscia", longOnly: true, inject: sandbox.Fault{Kind: sandbox.FaultEtcdTimeout, AfterEffect: true}},
	{name: "panic after the effect", on: "kuscia", longOnly: true, inject: sandbox.Fault{Kind: sandbox.FaultCode, AfterEffect: true, Code: 11101, Message: "panic: runtime error: index out of range"}},
	{name: "response slower than the time limit", longOnly: true, inject: sandbox.Fault{Kind: sandbox.FaultSlow, Delay: 3 * time.Second}},
	{name: "redirect", longOnly: true, inject: sandbox.Fault{Kind: sandbox.FaultRedirect, Location: "http://elsewhere.invalid/"}},
	{name: "data of a wrong type", on: "kuscia", longOnly: true, inject: sandbox.Fault{Kind: sandbox.FaultBody, AfterEffect: true, Body: `{"status":{"code":0,"message":"success"},"data":[1]}`}},
	{name: "echo in data of a wrong type", on: "kuscia", echoes: true, longOnly: true, inject: sandbox.Fault{Kind: sandbox.FaultBody, Body: `{"status":{"code":` + inJSON(echoed) + `}}`}},
	{name: "code as text", on: "kuscia", longOnly: true, inject: sandbox.Fault{Kind: sandbox.FaultBody, AfterEffect: true, Body: `{"status":{"code":"0"},"data":{}}`}},

	{name: "401 with a body", on: "kube", inject: kubeFailure(401, "Unauthorized", "Unauthorized", false)},
	{name: "403", on: "kube", inject: kubeFailure(403, "Forbidden", `x is forbidden: User "u" cannot do this`, false)},
	{name: "409", on: "kube", inject: kubeFailure(409, "Conflict", "the object has been modified; please apply your changes to the latest version", false)},
	{name: "429 with a body", on: "kube", inject: kubeFailure(429, "TooManyRequests", "please try again later", false)},
	{name: "500 of etcd", on: "kube", inject: kubeFailure(500, "InternalError", "etcdserver: request timed out", true)},
	{name: "webhook down", on: "kube", inject: kubeFailure(500, "InternalError", `Internal error occurred: failed calling webhook "vrollout.kb.io": connect: connection refused`, false)},
	{name: "504 with a body", on: "kube", inject: kubeFailure(504, "Timeout", "Timeout: request did not complete within requested timeout", true)},
	{name: "404 of a proxy", on: "kube", inject: sandbox.Fault{Status: http.StatusNotFound, ContentType: "text/html", Body: "<html>nothing here</html>"}},
	{name: "stale answer", on: "kube", reads: true, inject: sandbox.Fault{Kind: staleAnswer}},

	{name: "400", on: "ief", inject: edgeFailure(400, "IEF.100012", "not today")},
	{name: "401 of a gateway", on: "ief", inject: edgeFailure(401, "APIGW.0301", "Incorrect IAM authentication information")},
	{name: "403 of a gateway", on: "ief", inject: edgeFailure(403, "APIGW.0302", "The IAM user is not allowed to access the API")},
	{name: "404 of a gateway", on: "ief", inject: edgeFailure(404, "APIGW.0101", "The API does not exist")},
	{name: "429 of a gateway", on: "ief", inject: edgeFailure(429, "APIGW.0308", "The throttling threshold has been reached")},
}

// callSelectors are the calls of an operation that a fault hits.
var callSelectors = []struct {
	name       string
	nth, times int
}{
	{"first call", 1, 1},
	{"third call", 3, 1},
	{"always", 1, sandbox.Always},
}

// kubeFailure is a failure of the Kubernetes API.
func kubeFailure(code int, reason, message string, after bool) sandbox.Fault {
	body := fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":%q,"message":%q,"code":%d}`, reason, message, code)
	return sandbox.Fault{Status: code, ContentType: "application/json", Body: body, AfterEffect: after}
}

// edgeFailure is a failure of IEF, or of the gateway before it.
func edgeFailure(status int, code, message string) sandbox.Fault {
	return sandbox.Fault{Status: status, Body: fmt.Sprintf(`{"error_code":%q,"error_msg":%q}`, code, message)}
}

// target is a call that a fault hits, and the scenario that makes it. The path is its end.
type target struct {
	api, method, path, scenario string
	// single: the scenario has one object, with few calls.
	single bool
}

func (t target) reads() bool {
	return t.method == http.MethodGet || strings.HasSuffix(strings.ToLower(t.path), "query")
}

// targets are the rows of the matrix: those of servings and app images, and of each kind of objects.
var targets = sync.OnceValue(func() (rows []target) {
	for scenario, calls := range map[string][]string{
		"create servings": {"serving/create", "serving/query", "serving/status/batchQuery", "appimage/query"},
		"update servings": {"serving/update", "serving/query", "serving/status/batchQuery"},
		"delete servings": {"serving/delete", "serving/status/batchQuery"},
		"create images":   {"appimage/create", "appimage/query"},
		"update images":   {"appimage/update", "appimage/query", "serving/query"},
		"delete images":   {"appimage/delete"},
	} {
		for _, path := range calls {
			rows = append(rows, target{api: "kuscia", path: path, scenario: scenario})
		}
	}
	for _, kind := range registeredKinds {
		rows = append(rows, kind.targets()...)
	}
	slices.SortFunc(rows, func(a, b target) int { return strings.Compare(a.method+a.path+a.scenario, b.method+b.path+b.scenario) })
	return rows
})
