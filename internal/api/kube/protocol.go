package kube

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// protocol classifies the responses of an API server. The transport
// authenticates.
type protocol struct{}

// Authorize does nothing.
func (protocol) Authorize(*http.Request, []byte) error { return nil }

// Hint returns what to do about an error.
func (protocol) Hint(e *apierror.Error) string { return hint(e) }

// Classify classifies a response.
func (protocol) Classify(call *httpapi.Call, response *http.Response, body []byte) httpapi.Classification {
	if response.StatusCode >= 200 && response.StatusCode < 300 {
		document, err := httpapi.NewDocument(body)
		if errors.Is(err, httpapi.ErrNotJSON) {
			return httpapi.ClassifyNotJSON(call, response, body)
		}
		if err != nil {
			return httpapi.ClassifyMalformed(call, err)
		}
		return httpapi.Classification{Data: document}
	}
	c := httpapi.ClassifyStatus(call, response, body)
	var status metav1.Status
	if httpapi.DecodeText(string(body), &status) != nil || status.Kind != "Status" {
		if response.StatusCode == http.StatusNotFound {
			return classifyNoStatus(c, body)
		}
		return c
	}
	c.Message = status.Message
	c.Details = func(mask httpapi.Masker) error { return newStatusError(&status, mask) }
	classifyReason(&c, call, &status)
	return c
}

// classifyNoStatus classifies a response without a Status: an API server responds
// "404 page not found" for a group, version or resource that it does not serve.
// Any other 404 is from a proxy and not about the object.
func classifyNoStatus(c httpapi.Classification, body []byte) httpapi.Classification {
	if strings.TrimSpace(string(body)) == "404 page not found" {
		c.Kinds, c.Cause, c.Message = []error{apierror.ErrUnsupported}, CauseNotServed, "the cluster does not serve this kind of object"
		return c
	}
	c.Kinds, c.Cause = []error{apierror.ErrUnexpectedResponse}, httpapi.CauseNotThisAPI
	return c
}

// classifyReason refines a classification by the reason in the Status.
func classifyReason(c *httpapi.Classification, call *httpapi.Call, status *metav1.Status) {
	switch {
	case status.Reason == metav1.StatusReasonForbidden && !isWebhookDenial(status.Message):
		classifyForbidden(c, status)
	case status.Reason == metav1.StatusReasonNotFound:
		classifyNotFound(c, call, status)
	case status.Reason == metav1.StatusReasonAlreadyExists:
		c.Kinds = []error{apierror.ErrExists}
	case status.Reason == metav1.StatusReasonConflict:
		c.Kinds, c.Cause = []error{apierror.ErrConflict}, CauseChanged
		if hasCause(status, metav1.CauseTypeFieldManagerConflict) {
			c.Cause = CauseFieldManager
		}
	case status.Code == http.StatusGone || status.Reason == metav1.StatusReasonExpired:
		c.Kinds = []error{errExpired, apierror.ErrUnavailable}
	case isWebhookDown(status.Message):
		// Admission runs before anything is stored.
		c.Kinds, c.Cause, c.OutcomeUnknown = []error{apierror.ErrUnavailable}, CauseWebhookDown, false
	case isWebhookDenial(status.Message):
		c.Kinds = []error{apierror.ErrInvalid}
	case status.Reason == metav1.StatusReasonInvalid && strings.Contains(status.Message, failedPatchText):
		c.Kinds = []error{ErrPatchTest, apierror.ErrConflict}
	}
}

// failedPatchText is the whole message of an API server for a failed test in a
// JSON patch.
const failedPatchText = "the server rejected our request due to an error in our request"

func isWebhookDown(message string) bool {
	return strings.Contains(message, "failed calling webhook") || strings.Contains(message, "conversion webhook for ") && strings.Contains(message, " failed:")
}

func isWebhookDenial(message string) bool {
	return strings.HasPrefix(message, "admission webhook ") && strings.Contains(message, " denied the request")
}

// classifyForbidden distinguishes missing permissions from a refusal by admission.
func classifyForbidden(c *httpapi.Classification, status *metav1.Status) {
	switch {
	case hasCause(status, namespaceTerminating):
		c.Kinds, c.Cause = []error{apierror.ErrInvalid}, CauseNamespaceTerminating
	case !isMissingPermission(status.Message):
		c.Kinds = []error{apierror.ErrInvalid}
	default:
		c.Kinds, c.Cause = []error{ErrForbidden, apierror.ErrUnauthorized}, CauseForbidden
	}
}

// isMissingPermission recognizes the message of an authorizer: User "x" cannot get resource
// "y". Admission may use the word too.
func isMissingPermission(message string) bool {
	user, _, found := strings.Cut(message, " cannot ")
	return found && strings.Contains(user, `User "`)
}

const namespaceTerminating metav1.CauseType = "NamespaceTerminating"

// classifyNotFound distinguishes a missing object from a missing namespace and
// from a kind that is not served. A delete that is repeated after a lost
// response also gets not found.
func classifyNotFound(c *httpapi.Classification, call *httpapi.Call, status *metav1.Status) {
	switch {
	case status.Details != nil && status.Details.Kind == "namespaces":
		c.Kinds, c.Cause = []error{apierror.ErrInvalid}, CauseNoNamespace
	case status.Details == nil || status.Details.Name == "" || !isAbout(call, status.Details.Name):
		c.Kinds, c.Cause = []error{apierror.ErrUnsupported}, CauseNotServed
	}
}

func isAbout(call *httpapi.Call, name string) bool {
	return slices.ContainsFunc(call.IDs, func(id string) bool { return id == name || strings.HasSuffix(id, "/"+name) })
}

func hasCause(status *metav1.Status, cause metav1.CauseType) bool {
	return status.Details != nil && slices.ContainsFunc(status.Details.Causes, func(c metav1.StatusCause) bool { return c.Type == cause })
}
