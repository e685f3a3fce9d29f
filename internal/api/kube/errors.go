package kube

import (
	"errors"
	"regexp"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// What an error is beyond the kinds of apierror.
var (
	// ErrForbidden: the user is known and may not do this. It is
	// apierror.ErrUnauthorized, too.
	ErrForbidden = errors.New("forbidden")
	// ErrPatchTest: a test of a JSON patch failed, or the patch does not fit the
	// object, so that nothing was written. It is apierror.ErrConflict, too.
	ErrPatchTest = errors.New("the object is not as the patch expects it")

	// errExpired: the server no longer has the pages of a list.
	errExpired = errors.New("expired")
)

// The causes that hints are found by.
const (
	CauseForbidden            apierror.Cause = "forbidden"
	CauseNotServed            apierror.Cause = "kind not served"
	CauseNoNamespace          apierror.Cause = "no namespace"
	CauseNamespaceTerminating apierror.Cause = "namespace terminating"
	CauseFieldManager         apierror.Cause = "field manager"
	CauseChanged              apierror.Cause = "changed meanwhile"
	CauseWebhookDown          apierror.Cause = "webhook down"
)

// StatusError is what a Kubernetes Status says beyond its message. It is found
// with errors.As in the errors of a Client. Its texts are fit to be shown.
type StatusError struct {
	// Reason is Kubernetes' own, such as Invalid or AlreadyExists.
	Reason string
	Text   string
	Causes []StatusCause
}

// StatusCause is one of several things that are wrong.
type StatusCause struct {
	// Type is Kubernetes' own, such as FieldValueRequired.
	Type string
	// Field is a path such as spec.parties, or .spec.parties in conflicts.
	Field, Text string
}

// Error is the server's message.
func (e *StatusError) Error() string { return e.Text }

// maxCauses bounds the causes that are kept.
const maxCauses = 50

func newStatusError(status *metav1.Status, mask httpapi.Masker) *StatusError {
	e := &StatusError{Reason: mask.Text(string(status.Reason)), Text: mask.Text(status.Message)}
	if status.Details == nil {
		return e
	}
	for _, cause := range status.Details.Causes[:min(len(status.Details.Causes), maxCauses)] {
		e.Causes = append(e.Causes, StatusCause{Type: mask.Text(string(cause.Type)), Field: mask.Text(cause.Field), Text: mask.Text(cause.Message)})
	}
	return e
}

// FieldConflict is a field that was to be applied and is managed by somebody
// else with another value.
type FieldConflict struct {
	// Manager is the name of the other manager, such as kubectl-edit.
	Manager string
	// Field is a path such as .spec.parties.
	Field string
}

// Superseded reports whether a conditional write may succeed when it is made anew
// from what is there now: the object had another version, or nobody knows whether
// the write was carried out.
func Superseded(err error) bool {
	var failed *apierror.Error
	return errors.As(err, &failed) && (failed.Cause == CauseChanged || failed.OutcomeUnknown)
}

var managerName = regexp.MustCompile(`^conflict with ("(?:[^"\\]|\\.)*")`)

// FieldConflicts lists the fields that were not applied because somebody else
// manages them; none for any other error.
func FieldConflicts(err error) []FieldConflict {
	var status *StatusError
	if !errors.As(err, &status) {
		return nil
	}
	var all []FieldConflict
	for _, cause := range status.Causes {
		if cause.Type != string(metav1.CauseTypeFieldManagerConflict) {
			continue
		}
		conflict := FieldConflict{Manager: cause.Text, Field: cause.Field}
		if found := managerName.FindStringSubmatch(cause.Text); found != nil {
			if name, err := strconv.Unquote(found[1]); err == nil {
				conflict.Manager = name
			}
		}
		all = append(all, conflict)
	}
	return all
}
