package kuscia

import (
	"errors"
	"net/http"
	"slices"
	"strings"
)

// errorHint is a hint for some errors of an object.
type errorHint struct {
	// operations is a prefix of the names of the operations, "" for all.
	operations string
	fits       func(e *Error) bool
	hint       string
}

// errorHints has the hints of all objects. Hints for a longer prefix come
// first.
type errorHints []errorHint

// hints are looked up before the general hints. The hints of an object are
// declared next to its operations and added when the package is initialized.
var hints errorHints

// add adds the hints of an object.
func (h *errorHints) add(more ...errorHint) *errorHints {
	*h = append(*h, more...)
	slices.SortStableFunc(*h, func(a, b errorHint) int { return len(b.operations) - len(a.operations) })
	return h
}

// find returns the hint for an error, or "".
func (h errorHints) find(e *Error) string {
	for _, row := range h {
		if strings.HasPrefix(e.Op, row.operations) && row.fits(e) {
			return row.hint
		}
	}
	return ""
}

// isKind matches errors of a kind.
func isKind(kind error) func(e *Error) bool {
	return func(e *Error) bool { return errors.Is(e, kind) }
}

// isNotImplemented matches responses of a server that does not have the
// operation.
func isNotImplemented(e *Error) bool {
	switch e.HTTPStatus {
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented:
		return true
	}
	return false
}
