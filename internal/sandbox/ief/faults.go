package ief

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/faults"
)

// Fault selects requests and how they fail.
type Fault = faults.Fault

// product implements faults.Product for IEF.
type product struct{}

// Behavior returns that there are no further kinds.
func (product) Behavior(faults.Kind) faults.Behavior { return faults.UnknownKind }

// Taken returns nothing: no fault needs a snapshot.
func (product) Taken(Fault) any { return nil }

// Hit returns the request: no fault is applied inside of the server.
func (product) Hit(r *http.Request, _ Fault, _ any) *http.Request { return r }

// Fail responds with an error code of IEF.
func (product) Fail(w http.ResponseWriter, _ *http.Request, f Fault, _ []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	body, _ := json.Marshal(map[string]string{"error_code": fmt.Sprintf("IEF.%06d", f.Code), "error_msg": f.Message}) // texts cannot fail
	_, _ = w.Write(body)
}

// Opening is the beginning of a list with a long name.
func (product) Opening() string { return `{"count":1,"deployments":[{"name":"` }
