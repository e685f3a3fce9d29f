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

// MinFailures is the least number of consecutive refusals, or equal failures, that ends a wait.
const MinFailures = 3

// refusals are the kinds of errors by which a server refuses a poll. With any
// other error the server is unavailable, or its response temporarily unusable.
var refusals = []error{apierror.ErrUnauthorized, apierror.ErrInvalid, apierror.ErrUnsupported, apierror.ErrNotFound}

// Refusal counts consecutive refusals. The zero value is ready for use.
type Refusal struct {
	since time.Time
	count int
}

// IsRefusal reports whether an error is a refusal.
func IsRefusal(err error) bool {
	return slices.ContainsFunc(refusals, func(kind error) bool { return errors.Is(err, kind) })
}

// Record records the result of a poll and reports whether the server has refused
// for refusedFor.
func (r *Refusal) Record(at time.Time, err error) bool {
	if !IsRefusal(err) {
		*r = Refusal{}
		return false
	}
	if r.count++; r.count == 1 {
		r.since = at
	}
	return r.count >= MinFailures && at.Sub(r.since) >= refusedFor
}
