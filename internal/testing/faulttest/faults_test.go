package faulttest_test

import (
	"net/http"
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
	// longOnly excludes the fault from the short matrix.
	longOnly bool
}

// echoed is all that the server has received.
var echoed = "token " + plantedToken + ", header " + plantedHeader + ", key " + plantedKey + ", config " + servingSpec{}.inputConfig()

// faults are the columns of the matrix.
var faults = []fault{
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
	{name: "11103", inject: sandbox.Fault{Kind: sandbox.FaultMasterFailed}},
	{name: "conflict", inject: sandbox.Fault{Kind: sandbox.FaultConflict}},
	{name: "etcd time-out", inject: sandbox.Fault{Kind: sandbox.FaultEtcdTimeout}},
	{name: "panic 11101", inject: sandbox.Fault{Kind: sandbox.FaultPanic}},
	{name: "slow response", inject: sandbox.Fault{Kind: sandbox.FaultSlow, Delay: 100 * time.Millisecond}},
	{name: "echo in a message", inject: sandbox.Fault{Kind: sandbox.FaultCode, Message: echoed}},
	{name: "echo in a page", inject: sandbox.Fault{Kind: sandbox.FaultBody, Status: http.StatusBadGateway, ContentType: "text/html", Body: "<html>" + echoed}},
	{name: "Ctrl-C", interrupts: true, inject: sandbox.Fault{Kind: sandbox.FaultLatency, Delay: 300 * time.Millisecond}},
	{name: "server down before the effect", stop: stopBeforeEffect},
	{name: "server down after the effect", stop: stopAfterEffect},

	{name: "time-out before the effect", longOnly: true, inject: sandbox.Fault{Kind: sandbox.FaultTimeout}},
	{name: "500 after the effect", longOnly: true, inject: sandbox.Fault{Kind: sandbox.FaultStatus, Status: http.StatusInternalServerError, AfterEffect: true}},
	{name: "502 after the effect", longOnly: true, inject: sandbox.Fault{Kind: sandbox.FaultStatus, Status: http.StatusBadGateway, AfterEffect: true}},
	{name: "504 after the effect", longOnly: true, inject: sandbox.Fault{Kind: sandbox.FaultStatus, Status: http.StatusGatewayTimeout, AfterEffect: true}},
	{name: "HTML body after the effect", longOnly: true, inject: sandbox.Fault{Kind: sandbox.FaultHTML, AfterEffect: true}},
	{name: "11103 after the effect", longOnly: true, inject: sandbox.Fault{Kind: sandbox.FaultCode, AfterEffect: true, Code: 11103, Message: "request master failed, EOF"}},
	{name: "etcd time-out after the effect", longOnly: true, inject: sandbox.Fault{Kind: sandbox.FaultEtcdTimeout, AfterEffect: true}},
	{name: "panic after the effect", longOnly: true, inject: sandbox.Fault{Kind: sandbox.FaultCode, AfterEffect: true, Code: 11101, Message: "panic: runtime error: index out of range"}},
	{name: "response slower than the time limit", longOnly: true, inject: sandbox.Fault{Kind: sandbox.FaultSlow, Delay: 3 * time.Second}},
	{name: "redirect", longOnly: true, inject: sandbox.Fault{Kind: sandbox.FaultRedirect, Location: "http://elsewhere.invalid/"}},
	{name: "data of a wrong type", longOnly: true, inject: sandbox.Fault{Kind: sandbox.FaultBody, AfterEffect: true, Body: `{"status":{"code":0,"message":"success"},"data":[1]}`}},
	{name: "echo in data of a wrong type", longOnly: true, inject: sandbox.Fault{Kind: sandbox.FaultBody, Body: `{"status":{"code":` + inJSON(echoed) + `}}`}},
	{name: "code as text", longOnly: true, inject: sandbox.Fault{Kind: sandbox.FaultBody, AfterEffect: true, Body: `{"status":{"code":"0"},"data":{}}`}},
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

// target is a call that a fault hits, and the scenario that makes it.
type target struct {
	path, scenario string
	longOnly       bool
}

// targets are the rows of the matrix: those of servings and app images, and of
// each kind of objects without a rollout.
var targets = sync.OnceValue(func() []target {
	rows := []target{
		{path: "serving/create", scenario: "create servings"},
		{path: "serving/query", scenario: "update servings"},
		{path: "serving/query", scenario: "create servings", longOnly: true},
		{path: "serving/query", scenario: "update images", longOnly: true},
		{path: "serving/update", scenario: "update servings"},
		{path: "serving/delete", scenario: "delete servings"},
		{path: "serving/status/batchQuery", scenario: "create servings"},
		{path: "serving/status/batchQuery", scenario: "update servings", longOnly: true},
		{path: "serving/status/batchQuery", scenario: "delete servings", longOnly: true},
		{path: "appimage/create", scenario: "create images"},
		{path: "appimage/update", scenario: "update images"},
		{path: "appimage/delete", scenario: "delete images"},
		{path: "appimage/query", scenario: "create images"},
		{path: "appimage/query", scenario: "update images", longOnly: true},
		{path: "appimage/query", scenario: "create servings", longOnly: true},
	}
	for _, kind := range objectKinds() {
		rows = append(rows, kind.targets()...)
	}
	return rows
})
