package kuscia

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// Error codes of the KusciaAPI (Kuscia v0.5 to v1.1) that any operation can
// return. The codes of an object, and the rules for its errors, are next to its
// operations.
const (
	CodeInvalid           int32 = 11100
	CodeUnexpected        int32 = 11101
	CodeAuthFailed        int32 = 11102
	CodeMasterUnreachable int32 = 11103
	CodeLiteUnsupported   int32 = 11104
	CodeMasterUnsupported int32 = 11105

	// The codes of CodeInvalid and CodeUnexpected in the flat errors before v0.10.
	codeInvalidFlat    int32 = 12100
	codeUnexpectedFlat int32 = 12101
)

// Texts by which errors are classified.
const (
	notAPartyText       = "serving not found"
	conflictText        = "the object has been modified"
	leftoverText        = "of sub resources for serving already exists"
	missingTemplateText = "can not get deploy template from appimage"
)

// Causes of the KusciaAPI, in addition to those of httpapi.
const (
	causeNotAParty       apierror.Cause = "not a party"
	causeMissingTemplate apierror.Cause = "missing template"
)

// classification is the classification of a code and a text.
type classification = httpapi.Classification

// unavailableTexts are errors that the server returns if its Kubernetes API or
// etcd does not respond. The outcome of a write is unknown, except if the
// connection was refused.
var unavailableTexts = []string{
	"etcdserver: request timed out",
	"etcdserver: leader changed",
	"etcdserver: no leader",
	"etcdserver: too many requests",
	"etcdserver: server stopped",
	"etcdserver: rpc not supported for learner",
	"context deadline exceeded",
	"Client.Timeout exceeded",
	"connection reset by peer",
	"broken pipe",
	"unexpected EOF",
	": EOF",
	"i/o timeout",
	"TLS handshake timeout",
	"http2: client connection lost",
	"transport is closing",
	"the server is currently unable to handle the request",
	"the server was unable to return a response in the time allotted",
	"request did not complete within",
	"the server has received too many requests",
	"too many requests, please try again later",
	"client rate limiter Wait returned an error",
	"apiserver not ready",
	"apiserver is shutting down",
}

// refusedText means that the server could not reach its Kubernetes API at all.
const refusedText = "connection refused"

// invalidTexts are validation errors with a general code.
var invalidTexts = []string{
	"format is invalid",
	"quantities must match",
	"update strategy type should be",
	"doesn't exist in app image",
	"does not exist",
	"is invalid",
	"can't parse",
	"Unsupported value",
	"invalid resource name",
	"invalid continue token",
}

var tooLargeTexts = []string{"request is too large", "Request entity too large"}

// missingAppImage matches the error for a serving whose app image does not
// exist. It ends like a not-found error, but is not one.
var missingAppImage = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^can not get appimage (\S+) from cluster, appimages?\.kuscia\.secretflow "([^"]*)" not found$`)
})

// classify classifies a response with a code other than 0. ids are the objects
// in the request.
func classify(op httpapi.Operation, ids []string, code int32, message string) classification {
	if kind := errorRules.kindOf(op, ids, code, message); kind != nil {
		return classification{Kinds: []error{kind}}
	}
	switch code {
	case CodeInvalid, codeInvalidFlat:
		return classification{Kinds: []error{ErrInvalid}}
	case CodeUnexpected, codeUnexpectedFlat:
		// A handler that crashed may have crashed after the write.
		return classification{Kinds: []error{ErrServerFault}, OutcomeUnknown: op.Writes && strings.Contains(message, "panic")}
	case CodeAuthFailed:
		if !strings.HasPrefix(op.Name, "serving/") {
			return classification{Kinds: []error{ErrUnauthorized}}
		}
		return classification{Kinds: []error{ErrUnauthorized, ErrNotAParty}, Cause: causeNotAParty}
	case CodeMasterUnreachable:
		// The node's master did not respond; it may have carried out the
		// request.
		return classification{Kinds: []error{ErrUnavailable}, Retry: httpapi.Transient, OutcomeUnknown: op.Writes}
	case CodeLiteUnsupported, CodeMasterUnsupported:
		return classification{Kinds: []error{ErrUnsupported}}
	}

	switch {
	case strings.Contains(message, missingTemplateText):
		// The rest of this text is a dump of the app image and must not be
		// interpreted.
		return classification{Kinds: []error{ErrTemplateMissing}, Cause: causeMissingTemplate}
	case strings.Contains(message, conflictText):
		return classification{Kinds: []error{ErrConflict}, Retry: httpapi.Conflict}
	case code == CodeCreateServing && strings.Contains(message, leftoverText):
		return classification{Kinds: []error{ErrLeftover}, Retry: httpapi.PendingDeletion}
	case isExists(code, ids, message):
		return classification{Kinds: []error{ErrExists}}
	case missingAppImage().MatchString(message):
		return classification{Kinds: []error{ErrAppImageMissing}}
	case isNotFound(code, ids, message):
		return classification{Kinds: []error{ErrNotFound}}
	case message == notAPartyText:
		return classification{Kinds: []error{ErrUnauthorized, ErrNotAParty}, Cause: causeNotAParty}
	case containsAny(message, tooLargeTexts):
		return classification{Kinds: []error{ErrInvalid}, Cause: httpapi.CauseRequestTooLarge}
	case containsAny(message, invalidTexts):
		return classification{Kinds: []error{ErrInvalid}}
	case strings.Contains(message, refusedText):
		return classification{Kinds: []error{ErrUnavailable}, Retry: httpapi.Transient}
	case containsAny(message, unavailableTexts):
		return classification{Kinds: []error{ErrUnavailable}, Retry: httpapi.Transient, OutcomeUnknown: op.Writes}
	}
	return classification{}
}

// isNotFound matches only the text about one of the requested objects: errors
// about other objects use the same words.
func isNotFound(code int32, ids []string, message string) bool {
	op, known := operationOf(code)
	return known && !op.Creates && op.kind != "" && slices.ContainsFunc(ids, func(id string) bool {
		return message == op.kind+" "+strconv.Quote(id)+" not found"
	})
}

// isExists matches the error of the server's own check and that of a lost race.
func isExists(code int32, ids []string, message string) bool {
	op, known := operationOf(code)
	return known && op.Creates && op.kind != "" && slices.ContainsFunc(ids, func(id string) bool {
		return message == op.kind+" "+strconv.Quote(id)+" already exists" || op.exists != nil && op.exists(id, message)
	})
}

func containsAny(text string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}
