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

	// ErrNotAParty: the caller's domain takes no part in the serving, or may ask
	// only about itself. What it asks about may well exist. It is an
	// ErrUnauthorized too.
	ErrNotAParty = errors.New("not a party")
	// ErrAppImageMissing: the operation needs an app image that is gone. The
	// serving itself may well exist.
	ErrAppImageMissing = errors.New("app image is missing")
	// ErrTemplateMissing: an app image has no deploy template for the role of a
	// party. The serving itself may well exist.
	ErrTemplateMissing = errors.New("deploy template is missing")
	// ErrDomainMissing: the operation needs a domain that does not exist.
	ErrDomainMissing = errors.New("domain is missing")
	// ErrDataSourceMissing: the operation needs a data source that does not
	// exist. The domain data themselves may well exist.
	ErrDataSourceMissing = errors.New("data source is missing")
	// ErrDomainDataMissing: the operation needs domain data that do not exist.
	ErrDomainDataMissing = errors.New("domain data are missing")
	// ErrUnreadable: the object exists and the server cannot show it.
	ErrUnreadable = errors.New("unreadable for the server")
	// ErrLeftover: Deployments of an earlier serving of the same id are still
	// being removed.
	ErrLeftover = errors.New("leftovers of an earlier serving exist")
)

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
