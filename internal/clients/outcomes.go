package clients

import (
	"errors"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/lifecycle"
)

// KusciaErrors classifies the errors of the KusciaAPI for lifecycle.
var KusciaErrors = lifecycle.Errors{
	AlreadyExists:  func(err error) bool { return errors.Is(err, kuscia.ErrExists) },
	OutcomeUnknown: apierror.OutcomeUnknown,
	NotFound:       func(err error) bool { return errors.Is(err, kuscia.ErrNotFound) },
	Retryable:      func(err error) bool { return errors.Is(err, kuscia.ErrLeftover) },
	Transient:      func(err error) bool { return apierror.IsTransient(err) || errors.Is(err, kuscia.ErrConflict) },
}

// KubernetesErrors classifies the errors of the Kubernetes API for lifecycle.
var KubernetesErrors = lifecycle.Errors{
	AlreadyExists:  func(err error) bool { return errors.Is(err, apierror.ErrExists) },
	OutcomeUnknown: apierror.OutcomeUnknown,
	NotFound:       func(err error) bool { return errors.Is(err, apierror.ErrNotFound) },
	Transient:      apierror.IsTransient,
}
