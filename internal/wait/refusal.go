package wait

import (
	"errors"
	"slices"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
)

// refusedFor is how long every poll must be refused before that ends a wait. A
// reload of a gateway or a token rotation takes seconds, and a wait that ends
// too early taints the new resource.
const refusedFor = 30 * time.Second

// refusals are the kinds of errors by which a server refuses a poll. With any
// other error the server is unavailable, or its response temporarily unusable.
var refusals = []error{apierror.ErrUnauthorized, apierror.ErrInvalid, apierror.ErrUnsupported, apierror.ErrNotFound}

// refusal counts consecutive refusals.
type refusal struct {
	since time.Time
	count int
}

// isRefusal reports whether an error is a refusal.
func isRefusal(err error) bool {
	return slices.ContainsFunc(refusals, func(kind error) bool { return errors.Is(err, kind) })
}

// record records the result of a poll and reports whether the server has refused
// for refusedFor.
func (r *refusal) record(at time.Time, err error) bool {
	if !isRefusal(err) {
		*r = refusal{}
		return false
	}
	if r.count++; r.count == 1 {
		r.since = at
	}
	return r.count >= minFailures && at.Sub(r.since) >= refusedFor
}
