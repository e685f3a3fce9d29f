package kube

import (
	"errors"
	"regexp"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// Kinds of errors in addition to those of apierror.
var (
	// ErrForbidden: the user is authenticated but not authorized. Such an error
	// is also apierror.ErrUnauthorized.
	ErrForbidden = errors.New("forbidden")
	// ErrPatchTest: a test of a JSON patch failed, or the patch does not fit
	// the object; nothing was written. Such an error is also
	// apierror.ErrConflict.
	ErrPatchTest = errors.New("a test operation of the patch failed")

	// errExpired: the continue token of a list has expired.
	errExpired = errors.New("expired")
)

// Causes of this API, for hints.
const (
	CauseForbidden            apierror.Cause = "forbidden"
	CauseNotServed            apierror.Cause = "kind not served"
	CauseNoNamespace          apierror.Cause = "no namespace"
	CauseNamespaceTerminating apierror.Cause = "namespace terminating"
	CauseFieldManager         apierror.Cause = "field manager"
	CauseChanged              apierror.Cause = "changed since it was read"
	CauseWebhookDown          apierror.Cause = "webhook down"
)

// StatusError is the content of a Kubernetes Status. errors.As finds it in the
// errors of a Client. Its texts are safe to show.
type StatusError struct {
	// Reason is the reason of Kubernetes, such as Invalid or AlreadyExists.
	Reason string
	Text   string
	Causes []StatusCause
}

// StatusCause is one of the causes in a Status.
type StatusCause struct {
	// Type is the type of Kubernetes, such as FieldValueRequired.
	Type string
	// Field is a path such as spec.parties, or .spec.parties in conflicts.
	Field, Text string
}

// Error returns the server's message.
func (e *StatusError) Error() string { return e.Text }

// maxCauses limits the causes that are kept.
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

// FieldConflict is a conflict of a server-side apply: another manager owns the
// field with another value.
type FieldConflict struct {
	// Manager is the name of the other manager, such as kubectl-edit.
	Manager string
	// Field is a path such as .spec.parties.
	Field string
}

// Superseded reports whether a conditional write may succeed after reading the
// object again: the resourceVersion has changed, a test of a patch failed, or the
// outcome of the write is unknown.
func Superseded(err error) bool {
	var failed *apierror.Error
	return errors.Is(err, ErrPatchTest) || errors.As(err, &failed) && (failed.Cause == CauseChanged || failed.OutcomeUnknown)
}

var managerName = regexp.MustCompile(`^conflict with ("(?:[^"\\]|\\.)*")`)

// FieldConflicts returns the fields of an apply that other managers own; nil
// for any other error.
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
