package sandbox

import "net/http"

type (
	faultList = List
	recorder  = Recorder
)

// product is the KusciaAPI as faults know it.
type product struct{ kuscia *Server }

// Taken notes what a stale status shows.
func (p product) Taken(f Fault) any {
	if f.Kind == FaultStaleStatus {
		return p.kuscia.World.Snapshot()
	}
	return nil
}

// Hit puts what a fault does inside of the server into the request.
func (p product) Hit(r *http.Request, f Fault, taken any) *http.Request {
	switch f.Kind {
	case FaultStaleStatus:
		stale, _ := taken.(map[string]any)
		return r.WithContext(WithCaller(r.Context(), caller{stale: stale}))
	case FaultLag:
		return r.WithContext(WithCaller(r.Context(), caller{lag: f.Delay}))
	default:
		return r
	}
}

// Fail answers as an operation of the KusciaAPI that fails.
func (p product) Fail(w http.ResponseWriter, r *http.Request, f Fault, body []byte) {
	p.kuscia.Fail(w, r.URL.Path, body, Failure{Kind: failureOf(f.Kind), Code: f.Code, Message: f.Message})
}

func failureOf(kind FaultKind) FailureKind {
	switch kind {
	case FaultMasterFailed:
		return FailedMaster
	case FaultConflict:
		return FailedConflict
	case FaultEtcdTimeout:
		return FailedStore
	case FaultPanic:
		return FailedPanic
	default:
		return FailedPlainly
	}
}

// Opening is that of a serving with a long configuration.
func (p product) Opening() string {
	return `{"status":{"code":0,"message":"success","details":[]},"data":{"serving_input_config":"`
}
