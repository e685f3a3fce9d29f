package kuscia

import (
	"context"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// otherInterfaces are recorded operations that the client does not have: jobs
// and logs are not resources. GET of healthZ and the like are handled outside
// of the API.
var otherInterfaces = regexp.MustCompile(`^/api/v1/(job|log|healthZ)\b|^/(version|probe|healthz)$`)

// objectFailures are the recorded failures that objects have in common.
var objectFailures = []recordedFailure{
	{`.*`, 11100, `.*`, ErrInvalid, new(int)},
	{`.*`, 11101, `.*`, ErrServerFault, new(int)},
	{`.*`, 11102, `domain's kusciaAPI could only .*`, ErrUnauthorized, new(int)},
	{`.*`, 11103, `Post "http://kusciaapi.master.svc/.*`, ErrUnavailable, new(int)},
	{`.*`, 11104, `kuscia lite api not support this interface now`, ErrUnsupported, new(int)},
}

func TestEveryRecordedResponseOfObjects(t *testing.T) {
	transcripts{
		folder: "testdata/transcripts/rest", failures: slices.Concat(recordedFailures, objectFailures),
		skip: func(item *transcriptItem, path string) bool {
			return path != "/healthZ" && otherInterfaces.MatchString(path) || item.Request.Method == http.MethodGet
		},
	}.check(t)
}

// recordedCall makes a recorded call with the recorded request.
type recordedCall func(ctx context.Context, c *Client, item *transcriptItem) (any, error)

// These are the calls and failures of each object in the recordings, which the
// test of the object adds (recordObject). The failures apply before those of
// all objects.
var (
	recordedCalls    = map[string]recordedCall{}
	recordedFailures []recordedFailure
)

// recordObject adds the calls, by operation, and the failures of an object, with
// the kinds of errors that only this object has.
func recordObject(calls map[string]recordedCall, failures ...recordedFailure) {
	maps.Copy(recordedCalls, calls)
	recordedFailures = append(recordedFailures, failures...)
	for _, failure := range failures {
		if failure.want != nil && !slices.Contains(allKinds, failure.want) {
			allKinds = append(allKinds, failure.want)
		}
	}
}

func done(err error) (any, error) { return nil, err }

// callRecordedObject is callRecorded for objects other than servings and app
// images.
func callRecordedObject(ctx context.Context, c *Client, name string, item *transcriptItem) (any, error) {
	if call, ok := recordedCalls[name]; ok {
		return call(ctx, c, item)
	}
	// Operations that the client does not have use the same envelope.
	path := name
	if !strings.HasPrefix(path, "/") {
		path = "/api/v1/" + name
	}
	id := recordedRequest[struct {
		DomainDataID string `json:"domaindata_id"`
	}](item).DomainDataID
	_, err := c.do(ctx, operation{Operation: httpapi.Operation{Name: name, Method: item.Request.Method, Path: path}}, []string{id}, struct{}{})
	return nil, err
}
