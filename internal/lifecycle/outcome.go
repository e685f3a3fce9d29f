package lifecycle

import (
	"errors"
	"fmt"
	"strings"
)

// Outcome is what became of a create.
type Outcome int

// The outcomes.
const (
	// NotCreated: this create made nothing. An object of the same id may exist
	// (see AlreadyExistsError). It belongs to somebody else and must not get into the
	// state.
	NotCreated Outcome = iota
	// Created: the object is there, and this create made it.
	Created
	// Adopted: the object was there before, exactly as it was to be created.
	Adopted
	// Unknown: the request may have been carried out, and the server could not
	// be asked. The object belongs into the state, with a mark in the private state,
	// so that the next read determines the outcome.
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

// InState reports whether the object belongs into the state.
func (o Outcome) InState() bool { return o != NotCreated }

// Result is the outcome of a create and the reason for it.
type Result struct {
	Outcome Outcome
	// Err says why the object was not created, or why that is unknown; nil
	// otherwise.
	Err error
}

// AlreadyExistsError says that the id belongs to an object that this create did not
// make.
type AlreadyExistsError struct {
	// Differences are the attributes in which that object is not what was to
	// be created; empty when it was not compared.
	Differences []string
	// AnswerLost says that the object was found after an answer was lost. It is
	// no proof of another writer: an object of this create may have been changed
	// since.
	AnswerLost bool
	// Cause is the error answer to the create; nil when nothing was sent.
	Cause error
	// LookupErr says why the object could not be compared, if that was tried.
	LookupErr error
}

// Unwrap gives the causes.
func (e *AlreadyExistsError) Unwrap() []error {
	var causes []error
	for _, err := range []error{e.Cause, e.LookupErr} {
		if err != nil {
			causes = append(causes, err)
		}
	}
	return causes
}

// Error says what is known of the object.
func (e *AlreadyExistsError) Error() string {
	text := "an object of this id exists already"
	if e.AnswerLost {
		text = "the answer to the request was lost, and an object of this id exists"
	}
	if len(e.Differences) > 0 {
		text += fmt.Sprintf(" that differs from the configuration in %s", strings.Join(e.Differences, ", "))
	}
	if cause := errors.Join(e.Unwrap()...); cause != nil {
		text += ": " + cause.Error()
	}
	return text
}
