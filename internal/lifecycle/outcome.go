package lifecycle

import (
	"errors"
	"fmt"
	"strings"
)

// Outcome is the outcome of a create.
type Outcome int

// The outcomes.
const (
	// NotCreated: this create has created nothing. An object with the same id
	// may exist (see AlreadyExistsError). It belongs to another client and must
	// not be stored in the state.
	NotCreated Outcome = iota
	// Created: this create has created the object.
	Created
	// Adopted: the object existed before, and is exactly the desired one.
	Adopted
	// Unknown: the request may have been carried out, or may still be, and no
	// lookup has found the object.
	// The object is stored in the state, with a flag in the private state, so
	// that the next read determines the outcome.
	Unknown
)

// String names the outcome.
func (o Outcome) String() string {
	switch o {
	case Created:
		return "created"
	case Adopted:
		return "adopted"
	case Unknown:
		return "unknown"
	default:
		return "not created"
	}
}

// InState reports whether the object must be stored in the state.
func (o Outcome) InState() bool { return o != NotCreated }

// Result is an outcome and the reason for it.
type Result struct {
	Outcome Outcome
	// Err is why the object was not created, or the error of the last request if
	// the outcome is unknown; else nil.
	Err error
	// LookupErr is set if the outcome is unknown because the object could not be
	// looked up; nil if it was not found.
	LookupErr error
}

// AlreadyExistsError is returned if the id belongs to an object that this
// create has not created.
type AlreadyExistsError struct {
	// Differences are the attributes in which that object differs from the
	// desired one; empty if it was not compared.
	Differences []string
	// ResponseLost: the object was found after a lost response. It may still be
	// an object of this create that was changed since.
	ResponseLost bool
	// Cause is the error of the create; nil if nothing was sent.
	Cause error
	// LookupErr is why the object could not be compared, or nil.
	LookupErr error
}

// Unwrap returns the causes.
func (e *AlreadyExistsError) Unwrap() []error {
	var causes []error
	for _, err := range []error{e.Cause, e.LookupErr} {
		if err != nil {
			causes = append(causes, err)
		}
	}
	return causes
}

// Error describes the object.
func (e *AlreadyExistsError) Error() string {
	text := "an object with this ID already exists"
	if e.ResponseLost {
		text = "the response to the request was lost, and an object with this ID exists"
	}
	if len(e.Differences) > 0 {
		text += fmt.Sprintf(", which differs from the configuration in %s", strings.Join(e.Differences, ", "))
	}
	if cause := errors.Join(e.Unwrap()...); cause != nil {
		text += ": " + cause.Error()
	}
	return text
}
