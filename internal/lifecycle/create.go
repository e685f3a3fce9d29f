package lifecycle

import (
	"context"
	"errors"
	"time"
)

// Errors tells the errors of an API apart.
type Errors struct {
	// Exists: the id is taken.
	Exists func(error) bool
	// MayHaveHappened: the request may have been carried out, or may still be.
	MayHaveHappened func(error) bool
	// NotFound: there is no such object.
	NotFound func(error) bool
	// Blocked: the create did not happen and may succeed in a moment, without
	// anybody doing anything. May be nil: there is no such error.
	Blocked func(error) bool
	// Passing: a look failed for a reason that may be gone in a moment.
	Passing func(error) bool
}

// Create is the creation of one object of type T.
type Create[T any] struct {
	// Send sends the request to create the object, always with the same id and
	// content.
	Send func(ctx context.Context) error
	// Look asks for the object of that id.
	Look func(ctx context.Context) (T, error)
	// Differences lists the attributes in which an object is not what is to be
	// created, none if it is exactly that. What the server does not tell cannot
	// differ.
	Differences func(T) []string
	// StrictDifferences takes the place of Differences where an object may be
	// adopted that was there before: more can be wrong with it than with one of
	// this create whose answer was lost. nil: Differences.
	StrictDifferences func(T) []string
	// Errors tells the errors of Send and Look apart.
	Errors Errors
	// AdoptExisting adopts an object that was there before, if it is exactly
	// what is to be created.
	AdoptExisting bool
	// LookFirst is for servers whose create changes an object that exists: it
	// is looked for before anything is sent.
	LookFirst bool
	// Patience bounds repeated requests and looks; 0 is DefaultPatience. The
	// end of the context ends them too.
	Patience time.Duration
}

const (
	// DefaultPatience is for how long a create is repeated, or its object
	// looked for, once an answer was lost.
	DefaultPatience = 10 * time.Second
	// blockedPatience is for how long a create is repeated that is blocked.
	blockedPatience = 30 * time.Second
	// pauseBetween is the pause before anything is repeated.
	pauseBetween = 300 * time.Millisecond
	// pauseBetweenLooks is the pause before a failed look is repeated.
	pauseBetweenLooks = time.Second
	// lastLook is the time for one more look after the context has ended: the
	// caller has to know.
	lastLook = 5 * time.Second
)

// Do creates the object, or finds out what became of it.
func (c Create[T]) Do(ctx context.Context) Result {
	if c.Patience == 0 {
		c.Patience = DefaultPatience
	}
	began := time.Now()
	if c.LookFirst {
		if result, done := c.lookFirst(ctx, began); done {
			return result
		}
	}
	// lost is the error of the tries that may have happened; nil if none.
	var lost error
	for {
		err := c.Send(ctx)
		switch {
		case err == nil:
			return Result{Outcome: Created}
		case is(c.Errors.Blocked, err) && time.Since(began) < blockedPatience && Pause(ctx, pauseBetween):
			continue
		}
		exists, ambiguous := is(c.Errors.Exists, err), is(c.Errors.MayHaveHappened, err)
		if ambiguous {
			lost = err
		}
		switch {
		case lost == nil && !exists:
			return Result{NotCreated, err}
		case lost == nil && !c.AdoptExisting:
			return Result{NotCreated, &TakenError{Cause: err}}
		}

		found, there, lookErr := c.look(ctx, began)
		switch {
		case lookErr != nil && lost == nil:
			return Result{NotCreated, &TakenError{Cause: err, LookErr: lookErr}}
		case lookErr != nil:
			return Result{Unknown, errors.Join(err, lookErr)}
		case there:
			return c.compare(found, lost != nil, err)
		case !exists && !ambiguous:
			// A clean refusal after a lost answer, of which nothing came.
			return Result{NotCreated, err}
		}
		// The lost request may still be carried out. Sent again, one of the two
		// is the first, and the other finds the id taken.
		if time.Since(began) > c.Patience || !Pause(ctx, pauseBetween) {
			if lost == nil {
				return Result{NotCreated, err}
			}
			return Result{Unknown, err}
		}
	}
}

// lookFirst deals with an object that is there before anything is sent; done is
// false when there is none.
func (c Create[T]) lookFirst(ctx context.Context, began time.Time) (result Result, done bool) {
	found, there, err := c.look(ctx, began)
	switch {
	case err != nil:
		return Result{NotCreated, err}, true
	case !there:
		return Result{}, false
	case !c.AdoptExisting:
		return Result{NotCreated, &TakenError{}}, true
	default:
		return c.compare(found, false, nil), true
	}
}

// compare decides about an object that was found.
func (c Create[T]) compare(found T, lost bool, cause error) Result {
	differs := c.Differences
	if !lost && c.StrictDifferences != nil {
		differs = c.StrictDifferences
	}
	if differences := differs(found); len(differences) > 0 {
		return Result{NotCreated, &TakenError{Differences: differences, AnswerLost: lost, Cause: cause}}
	}
	if lost {
		return Result{Outcome: Created}
	}
	return Result{Outcome: Adopted}
}

// look asks for the object, again while that fails for a passing reason. When
// the context ends it asks once more, with a time of its own.
func (c Create[T]) look(ctx context.Context, began time.Time) (found T, there bool, err error) {
	for {
		asking, final := ctx, ctx.Err() != nil
		if final {
			detached, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastLook)
			defer cancel()
			asking = detached
		}
		found, err = c.Look(asking)
		switch {
		case err == nil:
			return found, true, nil
		case is(c.Errors.NotFound, err):
			return found, false, nil
		case ctx.Err() != nil && !final: // the end came during the look
		case final, !is(c.Errors.Passing, err), time.Since(began) > c.Patience:
			return found, false, err
		default:
			Pause(ctx, pauseBetweenLooks)
		}
	}
}

func is(kind func(error) bool, err error) bool { return kind != nil && kind(err) }

// Pause waits and reports false when the context ended first.
func Pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
