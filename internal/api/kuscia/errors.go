package kuscia

import (
	"errors"
	"strconv"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
)

// Error is a failed operation.
type Error = apierror.Error

// What an error of the client can be recognised as, with errors.Is: those of
// every API, and some of its own.
var (
	ErrNotFound         = apierror.ErrNotFound
	ErrExists           = apierror.ErrExists
	ErrConflict         = apierror.ErrConflict
	ErrInvalid          = apierror.ErrInvalid
	ErrUnauthorized     = apierror.ErrUnauthorized
	ErrUnsupported      = apierror.ErrUnsupported
	ErrUnavailable      = apierror.ErrUnavailable
	ErrServerFault      = apierror.ErrServerFault
	ErrUnexpectedAnswer = apierror.ErrUnexpectedAnswer
	ErrTLS              = apierror.ErrTLS

	// ErrAppImageMissing: the operation needs an app image that is gone. The
	// serving itself may well exist.
	ErrAppImageMissing = errors.New("app image is missing")
	// ErrTemplateMissing: an app image has no deploy template for the role of a
	// party. The serving itself may well exist.
	ErrTemplateMissing = errors.New("deploy template is missing")
	// ErrLeftover: Deployments of an earlier serving of the same id are still
	// being removed.
	ErrLeftover = errors.New("leftovers of an earlier serving exist")
)

// MayHaveHappened is apierror.OutcomeUnknown.
func MayHaveHappened(err error) bool { return apierror.OutcomeUnknown(err) }

// CodeOf is the KusciaAPI's code of an error, one of the constants Code...; 0
// when no handler answered.
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
