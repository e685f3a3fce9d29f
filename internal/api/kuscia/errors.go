package kuscia

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
)

// Error is a failed operation.
type Error = apierror.Error

// The kinds of errors, for errors.Is: those of every API, and some of this API.
var (
	ErrNotFound           = apierror.ErrNotFound
	ErrExists             = apierror.ErrExists
	ErrConflict           = apierror.ErrConflict
	ErrInvalid            = apierror.ErrInvalid
	ErrUnauthorized       = apierror.ErrUnauthorized
	ErrUnsupported        = apierror.ErrUnsupported
	ErrUnavailable        = apierror.ErrUnavailable
	ErrServerFault        = apierror.ErrServerFault
	ErrUnexpectedResponse = apierror.ErrUnexpectedResponse
	ErrTLS                = apierror.ErrTLS

	// ErrNotAParty: the caller's domain is not a party of the serving, or may
	// only query itself. The object may exist. Such an error is also
	// ErrUnauthorized.
	ErrNotAParty = errors.New("not a party")
	// ErrAppImageMissing: the operation needs an app image that does not exist.
	// The serving itself may exist.
	ErrAppImageMissing = errors.New("app image is missing")
	// ErrTemplateMissing: an app image has no deploy template for the role of a
	// party. The serving itself may exist.
	ErrTemplateMissing = errors.New("deploy template is missing")
	// ErrUnreadable: the object exists but the server cannot return it.
	ErrUnreadable = errors.New("unreadable for the server")
	// ErrLeftover: Deployments of an earlier serving with the same id are still
	// being removed.
	ErrLeftover = errors.New("leftovers of an earlier serving exist")
)

// CodeOf returns the KusciaAPI's code of an error, one of the constants
// Code...; 0 if no handler has responded.
func CodeOf(err error) int32 {
	var e *Error
	if !errors.As(err, &e) {
		return 0
	}
	code, err := strconv.ParseInt(e.Code, 10, 32)
	if err != nil {
		return 0
	}
	return int32(code)
}

// IsNilPointerPanic reports whether Kuscia's handler has panicked on a nil
// pointer.
func IsNilPointerPanic(err error) bool {
	var e *Error
	return errors.As(err, &e) && slices.Contains([]int32{CodeUnexpected, codeUnexpectedFlat}, CodeOf(e)) && strings.Contains(e.Message, "nil pointer")
}
