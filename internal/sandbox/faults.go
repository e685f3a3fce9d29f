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
	FaultBody         = faults.Body
	FaultEndless      = faults.Endless
	FaultRedirect     = faults.Redirect
)

// The kinds of faults that only the KusciaAPI has. Some can be injected before the
// request takes effect or, with AfterEffect, after it.
const (
	// FaultMasterFailed returns the transient code 11103, without effect.
	FaultMasterFailed FaultKind = "master_failed"
	// FaultConflict returns that the object has been modified, without effect.
	FaultConflict FaultKind = "conflict"
	// FaultEtcdTimeout returns "etcdserver: request timed out" with the code of
	// the operation; before or after the effect.
	FaultEtcdTimeout FaultKind = "etcd_timeout"
	// FaultPanic returns code 11101, as after a panic of the handler, without
	// effect.
	FaultPanic FaultKind = "panic"
	// FaultStaleStatus returns status and query with the status at the time of
	// Inject.
	FaultStaleStatus FaultKind = "stale_status"
	// FaultLag keeps the controllers from reconciling the servings that the
	// request creates or changes until Delay has passed; see Timing.Lag.
	FaultLag FaultKind = "lag"
)

type (
	faultList = faults.List
	recorder  = faults.Recorder
)

// faultAPI implements faults.API for the KusciaAPI.
type faultAPI struct{ node *server.Node }

// Behavior describes the kinds of the KusciaAPI.
func (a faultAPI) Behavior(kind faults.Kind) faults.Behavior {
	switch kind {
	case FaultMasterFailed, FaultConflict, FaultPanic:
		return faults.Fails
	case FaultEtcdTimeout:
		return faults.FailsBeforeOrAfter
	case FaultStaleStatus, FaultLag:
		return faults.PassesThrough
	default:
		return faults.UnknownKind
	}
}

// Snapshot returns the status for a FaultStaleStatus.
func (a faultAPI) Snapshot(f faults.Fault) any {
	if f.Kind == FaultStaleStatus {
		return a.node.ControlPlane.Snapshot()
	}
	return nil
}

// Apply adds a fault that is injected inside of the server to the request.
func (a faultAPI) Apply(r *http.Request, f faults.Fault, snapshot any) *http.Request {
	switch f.Kind {
	case FaultStaleStatus:
		stale, _ := snapshot.(map[string]any)
		return r.WithContext(server.WithCaller(r.Context(), server.Caller{Stale: stale}))
	case FaultLag:
		return r.WithContext(server.WithCaller(r.Context(), server.Caller{Lag: f.Delay}))
	default:
		return r
	}
}

// Fail responds like a failed operation of the KusciaAPI.
func (a faultAPI) Fail(w http.ResponseWriter, r *http.Request, f faults.Fault, body []byte) {
	a.node.Fail(w, r.URL.Path, body, server.Failure{Kind: failureOf(f.Kind), Code: f.Code, Message: f.Message})
}

func failureOf(kind faults.Kind) server.FailureKind {
	switch kind {
	case FaultMasterFailed:
		return server.FailedMaster
	case FaultConflict:
		return server.FailedConflict
	case FaultEtcdTimeout:
		return server.FailedStore
	case FaultPanic:
		return server.FailedPanic
	default:
		return server.FailedPlainly
	}
}

// EndlessPrefix is the beginning of a serving with a long configuration.
func (a faultAPI) EndlessPrefix() string {
	return `{"status":{"code":0,"message":"success","details":[]},"data":{"serving_input_config":"`
}
