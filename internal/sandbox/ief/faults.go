package ief

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/faults"
)

// Fault selects requests and how they fail.
type Fault = faults.Fault

// faultAPI implements faults.API for IEF.
type faultAPI struct{}

// Behavior returns that there are no further kinds.
func (faultAPI) Behavior(faults.Kind) faults.Behavior { return faults.UnknownKind }

// Snapshot returns nothing: no fault needs a snapshot.
func (faultAPI) Snapshot(Fault) any { return nil }

// Apply returns the request: no fault is applied inside of the server.
func (faultAPI) Apply(r *http.Request, _ Fault, _ any) *http.Request { return r }

// Fail responds with an error code of IEF.
func (faultAPI) Fail(w http.ResponseWriter, _ *http.Request, f Fault, _ []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	body, _ := json.Marshal(map[string]string{"error_code": fmt.Sprintf("IEF.%06d", f.Code), "error_msg": f.Message}) // texts cannot fail
	_, _ = w.Write(body)
}

// EndlessPrefix is the beginning of a list with a long name.
func (faultAPI) EndlessPrefix() string { return `{"count":1,"deployments":[{"name":"` }
