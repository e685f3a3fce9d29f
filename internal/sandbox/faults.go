package sandbox

import (
	"net/http"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/faults"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

// Fault selects requests and how they fail.
type Fault = faults.Fault

// FaultKind is a kind of fault.
type FaultKind = faults.Kind

// Request is a request that the sandbox received.
type Request = faults.Request

// Always is for Fault.Times: every matching request.
const Always = faults.Always

// The kinds of faults.
const (
	FaultLatency      = faults.Latency
	FaultReset        = faults.Reset
	FaultTimeout      = faults.Timeout
	FaultStatus       = faults.Status
	FaultUnauthorized = faults.Unauthorized
	FaultTruncated    = faults.Truncated
	FaultEmpty        = faults.Empty
	FaultHTML         = faults.HTML
	FaultContentType  = faults.ContentType
	FaultSlow         = faults.Slow
	FaultCode         = faults.Code
	FaultMasterFailed = faults.MasterFailed
	FaultConflict     = faults.Conflict
	FaultEtcdTimeout  = faults.EtcdTimeout
	FaultPanic        = faults.Panic
	FaultStaleStatus  = faults.StaleStatus
	FaultLag          = faults.Lag
	FaultBody         = faults.Body
	FaultEndless      = faults.Endless
	FaultRedirect     = faults.Redirect
)

type (
	faultList = faults.List
	recorder  = faults.Recorder
)

// product implements faults.Product for the KusciaAPI.
type product struct{ node *server.Node }

// Taken returns the status for a StaleStatus fault.
func (p product) Taken(f faults.Fault) any {
	if f.Kind == faults.StaleStatus {
		return p.node.ControlPlane.Snapshot()
	}
	return nil
}

// Hit adds a fault that is injected inside of the server to the request.
func (p product) Hit(r *http.Request, f faults.Fault, taken any) *http.Request {
	switch f.Kind {
	case faults.StaleStatus:
		stale, _ := taken.(map[string]any)
		return r.WithContext(server.WithCaller(r.Context(), server.Caller{Stale: stale}))
	case faults.Lag:
		return r.WithContext(server.WithCaller(r.Context(), server.Caller{Lag: f.Delay}))
	default:
		return r
	}
}

// Fail responds like a failed operation of the KusciaAPI.
func (p product) Fail(w http.ResponseWriter, r *http.Request, f faults.Fault, body []byte) {
	p.node.Fail(w, r.URL.Path, body, server.Failure{Kind: failureOf(f.Kind), Code: f.Code, Message: f.Message})
}

func failureOf(kind faults.Kind) server.FailureKind {
	switch kind {
	case faults.MasterFailed:
		return server.FailedMaster
	case faults.Conflict:
		return server.FailedConflict
	case faults.EtcdTimeout:
		return server.FailedStore
	case faults.Panic:
		return server.FailedPanic
	default:
		return server.FailedPlainly
	}
}

// Opening is the beginning of a serving with a long configuration.
func (p product) Opening() string {
	return `{"status":{"code":0,"message":"success","details":[]},"data":{"serving_input_config":"`
}
