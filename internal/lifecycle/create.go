package lifecycle

import (
	"context"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// Errors classifies the errors of an API.
type Errors struct {
	// AlreadyExists: the id exists.
	AlreadyExists func(error) bool
	// OutcomeUnknown: the request may have been carried out, or may still be.
	OutcomeUnknown func(error) bool
	// NotFound: the object does not exist.
	NotFound func(error) bool
	// Retryable: the create was not carried out, and the same request may
	// succeed soon. May be nil: there is no such error.
	Retryable func(error) bool
	// Transient: a lookup failed for a temporary reason.
	Transient func(error) bool
}

// Create creates one object of type T.
type Create[T any] struct {
	// Send sends the create request, always with the same id and content.
	Send func(ctx context.Context) error
	// Lookup reads the object with that id.
	Lookup func(ctx context.Context) (T, error)
	// Differences lists the attributes in which an object differs from the
	// desired one. Attributes that the server does not return never differ.
	Differences func(T) []string
	// StrictDifferences replaces Differences for the adoption of an object that
	// existed before. Such an object can differ in more attributes than one
	// that this create made and whose response was lost. nil: Differences.
	StrictDifferences func(T) []string
	// Errors classifies the errors of Send and Lookup.
	Errors Errors
	// AdoptExisting adopts an object that existed before, if it is exactly the
	// desired one.
	AdoptExisting bool
	// LookupFirst is for servers whose create overwrites an existing object:
	// the object is looked up before anything is sent.
	LookupFirst bool
	// RetryTimeout limits repeated requests and lookups; 0 means
	// DefaultRetryTimeout. The context limits them too.
	RetryTimeout time.Duration
}

const (
	// DefaultRetryTimeout is how long a create, or the lookup of its object, is
	// repeated after a lost response.
	DefaultRetryTimeout = 10 * time.Second
	// retryableTimeout is how long a create is repeated after Errors.Retryable.
	retryableTimeout = 30 * time.Second
	// retryPause is the wait before a repetition.
	retryPause = 300 * time.Millisecond
	// lookupRetryPause is the wait before a failed lookup is repeated.
	lookupRetryPause = time.Second
	// lastLookupTimeout limits the single lookup after the context has ended:
	// the caller has to know the outcome.
	lastLookupTimeout = 5 * time.Second
)

// Do creates the object and determines the outcome, even after a lost response.
func (c Create[T]) Do(ctx context.Context) Result {
	if c.RetryTimeout == 0 {
		c.RetryTimeout = DefaultRetryTimeout
	}
	began := time.Now()
	if c.LookupFirst {
		if result, done := c.lookupFirst(ctx, began); done {
			return result
		}
	}
	// lost is the error of an attempt that may have been carried out, or nil.
	var lost error
	for {
		err := c.Send(ctx)
		switch {
		case err == nil:
			return Result{Outcome: Created}
		case matches(c.Errors.Retryable, err) && time.Since(began) < retryableTimeout && wait.Sleep(ctx, retryPause):
			continue
		}
		exists, outcomeUnknown := matches(c.Errors.AlreadyExists, err), matches(c.Errors.OutcomeUnknown, err)
		if outcomeUnknown {
			lost = err
		}
		switch {
		case lost == nil && !exists:
			return Result{Outcome: NotCreated, Err: err}
		case lost == nil && !c.AdoptExisting:
			return Result{Outcome: NotCreated, Err: &AlreadyExistsError{Cause: err}}
		}

		found, there, lookupErr := c.lookup(ctx, began)
		switch {
		case lookupErr != nil && lost == nil:
			return Result{Outcome: NotCreated, Err: &AlreadyExistsError{Cause: err, LookupErr: lookupErr}}
		case lookupErr != nil:
			return Result{Outcome: Unknown, Err: err, LookupErr: lookupErr}
		case there:
			return c.compare(found, lost != nil, err)
		case !exists && !outcomeUnknown:
			// The repetition was refused, perhaps for a reason that did not
			// exist at the lost request, which may still be carried out.
			return Result{Outcome: Unknown, Err: err}
		}
		// The lost request may still be carried out. If it is sent again, one
		// of the two creates the object and the other one fails because it
		// exists.
		if time.Since(began) > c.RetryTimeout || !wait.Sleep(ctx, retryPause) {
			if lost == nil {
				return Result{Outcome: NotCreated, Err: err}
			}
			return Result{Outcome: Unknown, Err: err}
		}
	}
}

// lookupFirst handles an object that exists before anything is sent; done is
// false if there is none.
func (c Create[T]) lookupFirst(ctx context.Context, began time.Time) (result Result, done bool) {
	found, exists, err := c.lookup(ctx, began)
	switch {
	case err != nil:
		return Result{Outcome: NotCreated, Err: err}, true
	case !exists:
		return Result{}, false
	case !c.AdoptExisting:
		return Result{Outcome: NotCreated, Err: &AlreadyExistsError{}}, true
	default:
		return c.compare(found, false, nil), true
	}
}

// compare determines whether a found object is the desired one.
func (c Create[T]) compare(found T, lost bool, cause error) Result {
	differs := c.Differences
	if !lost && c.StrictDifferences != nil {
		differs = c.StrictDifferences
	}
	if differences := differs(found); len(differences) > 0 {
		return Result{Outcome: NotCreated, Err: &AlreadyExistsError{Differences: differences, ResponseLost: lost, Cause: cause}}
	}
	if lost {
		return Result{Outcome: Created}
	}
	return Result{Outcome: Adopted}
}

// lookup reads the object, repeatedly while that fails for a temporary reason.
// If the context has ended, it reads once more, with its own timeout.
func (c Create[T]) lookup(ctx context.Context, began time.Time) (found T, exists bool, err error) {
	for {
		lookupCtx, final := ctx, ctx.Err() != nil
		if final {
			detached, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastLookupTimeout)
			defer cancel()
			lookupCtx = detached
		}
		found, err = c.Lookup(lookupCtx)
		switch {
		case err == nil:
			return found, true, nil
		case matches(c.Errors.NotFound, err):
			return found, false, nil
		case ctx.Err() != nil && !final: // the context ended during the lookup
		case final, !matches(c.Errors.Transient, err), time.Since(began) > c.RetryTimeout:
			return found, false, err
		default:
			wait.Sleep(ctx, lookupRetryPause)
		}
	}
}

func matches(kind func(error) bool, err error) bool { return kind != nil && kind(err) }
