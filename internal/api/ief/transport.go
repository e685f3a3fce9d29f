package ief

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// pace is how fast failed tries are repeated.
type pace struct {
	base, max time.Duration
	// retryAfter caps what a server asks for in the header Retry-After.
	retryAfter time.Duration
}

var defaultPace = pace{base: 200 * time.Millisecond, max: 10 * time.Second, retryAfter: 30 * time.Second}

// maxAnswer bounds an answer. A page of 100 deployments with long environments
// stays far below.
const maxAnswer = 16 << 20

// maxBody is the most that the service's gateway takes with a signature.
const maxBody = 12 << 20

// retryRule says when a failed try is repeated.
type retryRule int

const (
	never retryRule = iota
	// ifRepeatable: the try may have had its effect.
	ifRepeatable
	// always: the try had no effect.
	always
)

// call is one operation.
type call struct {
	op, id, method string
	path           []string
	query          url.Values
	scope          Scope
	body           any
	mask           masker
}

// repeatable says that doing it twice is the same as doing it once.
func (k call) repeatable() bool { return k.method != http.MethodPost }

// answer is a successful answer.
type answer struct {
	call      call
	status    int
	requestID string
	body      []byte
	attempts  int
}

// decode reads the answer. One that cannot be read leaves open what happened.
func (a *answer) decode(into any) error {
	if err := json.Unmarshal(a.body, into); err != nil {
		return a.unexpected(errors.New("the answer is not of the form that the documents have"))
	}
	return nil
}

func (a *answer) unexpected(problem error) error {
	e := a.fail(ErrUnexpectedAnswer, problem.Error())
	e.ambiguous = a.call.method != http.MethodGet
	return e
}

func (a *answer) fail(kind error, message string) *Error {
	return &Error{
		Op: a.call.op, ID: a.call.id, Message: a.call.mask.text(message), HTTPStatus: a.status,
		RequestID: a.requestID, Attempts: a.attempts, kind: kind,
	}
}

// do makes a call, and repeats it as long as that is safe and may help.
func (c *Client) do(ctx context.Context, k call) (*answer, error) {
	var body []byte
	if k.body != nil {
		var err error
		if body, err = json.Marshal(k.body); err != nil {
			return nil, fmt.Errorf("%s: encode the request: %w", k.op, err)
		}
		if len(body) > maxBody {
			return nil, &Error{Op: k.op, ID: k.id, Message: fmt.Sprintf("the request has %d bytes, and IEF takes %d", len(body), maxBody), kind: ErrInvalid}
		}
	}
	ctx = c.withLogger(ctx)
	ambiguous := false
	for attempt := 1; ; attempt++ {
		began := time.Now()
		got, failure, rule, after := c.try(ctx, k, body)
		logTry(ctx, k, attempt, time.Since(began), body, got, failure)
		if failure == nil {
			got.attempts = attempt
			return got, nil
		}
		ambiguous = ambiguous || rule == ifRepeatable
		failure.Attempts, failure.ambiguous = attempt, ambiguous && k.method != http.MethodGet
		if rule == never || rule == ifRepeatable && !k.repeatable() || attempt > c.config.MaxRetries {
			return nil, failure
		}
		if !sleep(ctx, c.pace.pause(attempt, after)) {
			failure.Err = errors.Join(failure.Err, context.Cause(ctx))
			return nil, failure
		}
	}
}

// pause is the time before the next try.
func (p pace) pause(attempt int, asked time.Duration) time.Duration {
	d := min(p.base<<min(attempt-1, 16), p.max)
	d += time.Duration(rand.Int64N(int64(d)/4 + 1)) //nolint:gosec // only spreads tries
	return max(d, min(asked, p.retryAfter))
}

func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// try makes one request.
func (c *Client) try(ctx context.Context, k call, body []byte) (*answer, *Error, retryRule, time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, c.config.RequestTimeout)
	defer cancel()
	failed := func(err error, rule retryRule) (*answer, *Error, retryRule, time.Duration) {
		if ctx.Err() != nil && context.Cause(ctx) == context.Canceled { //nolint:errorlint // a cause of its own is another one
			rule = never
		}
		return nil, &Error{Op: k.op, ID: k.id, Message: k.mask.text(transportText(err)), Err: cleanCause(err), kind: ErrUnavailable}, rule, 0
	}
	request, err := c.request(ctx, k, body)
	if err != nil {
		return failed(err, never)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return failed(err, ruleOf(err))
	}
	defer func() { _ = response.Body.Close() }()
	data, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if err != nil {
		return failed(err, ifRepeatable)
	}
	got := &answer{call: k, status: response.StatusCode, requestID: k.mask.text(response.Header.Get("X-Request-Id")), body: data}
	if len(data) > maxAnswer {
		e := got.fail(ErrUnexpectedAnswer, fmt.Sprintf("the answer has more than %d bytes", maxAnswer))
		return nil, e, never, 0
	}
	if response.StatusCode >= 200 && response.StatusCode < 300 {
		return got, nil, never, 0
	}
	e, rule := got.failure()
	return nil, e, rule, retryAfter(response.Header)
}

// ruleOf: a connection that never came about had no effect.
func ruleOf(err error) retryRule {
	var dial *net.OpError
	if errors.As(err, &dial) && (dial.Op == "dial" || dial.Op == "socks connect" || dial.Op == "proxyconnect") {
		return always
	}
	return ifRepeatable
}

// transportText leaves out the address with its query, which url.Error repeats.
func transportText(err error) string {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err.Error()
	}
	return err.Error()
}

// cleanCause keeps what callers ask for: the end of a context.
func cleanCause(err error) error {
	for _, known := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, known) {
			return known
		}
	}
	return nil
}

func (c *Client) request(ctx context.Context, k call, body []byte) (*http.Request, error) {
	address := c.endpoint.JoinPath(escapeAll(k.path)...)
	address.RawQuery = canonicalQuery(k.query)
	request, err := http.NewRequestWithContext(ctx, k.method, address.String(), bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("make the request: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	instance := k.scope.InstanceID
	if instance != "" {
		request.Header.Set(HeaderInstance, instance)
	}
	if c.config.Token != "" {
		request.Header.Set(headerToken, c.config.Token)
	} else {
		request.Header.Set(headerProject, c.config.ProjectID)
		if c.config.SecurityToken != "" {
			request.Header.Set(headerSecTok, c.config.SecurityToken)
		}
		Sign(request, body, c.config.AccessKey, c.config.SecretKey, c.now())
	}
	if c.config.UserAgent != "" {
		request.Header.Set("User-Agent", c.config.UserAgent)
	}
	return request, nil
}

func escapeAll(segments []string) []string {
	out := make([]string, len(segments))
	for i, segment := range segments {
		out[i] = url.PathEscape(segment)
	}
	return out
}

// failure is the error of an answer.
func (a *answer) failure() (*Error, retryRule) {
	var body struct {
		Code    string `json:"error_code"`
		Message string `json:"error_msg"`
	}
	_ = json.Unmarshal(a.body, &body) // another form is told by the status
	kind, rule := judge(a.status, body.Code)
	message := body.Message
	if message == "" && body.Code == "" {
		message = "the answer has no error_code"
		if text := strings.TrimSpace(string(a.body[:min(len(a.body), 200)])); text != "" && !strings.HasPrefix(text, "<") {
			message += ": " + text
		}
	}
	e := a.fail(kind, message)
	e.Code = a.call.mask.text(body.Code)
	return e, rule
}

func retryAfter(header http.Header) time.Duration {
	seconds, err := strconv.Atoi(header.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return 0
	}
	return time.Duration(min(seconds, 3600)) * time.Second
}

// subsystem is the name of the client's logger.
const subsystem = "ief"

func (c *Client) withLogger(ctx context.Context) context.Context {
	ctx = tflog.NewSubsystem(ctx, subsystem, tflog.WithLevelFromEnv("TF_LOG_PROVIDER_KUSCIA", subsystem), tflog.WithRootFields())
	if tflog.SubsystemIsDebug(ctx, subsystem) {
		ctx = tflog.SubsystemMaskLogStrings(ctx, subsystem, c.mask...)
	}
	return ctx
}

// logTry writes one line for a try, and at trace level the bodies.
func logTry(ctx context.Context, k call, attempt int, took time.Duration, body []byte, got *answer, failure *Error) {
	if !tflog.SubsystemIsDebug(ctx, subsystem) {
		return
	}
	fields := map[string]any{"operation": k.op, "id": k.id, "attempt": attempt, "duration_ms": took.Milliseconds()}
	if failure != nil {
		fields["http_status"], fields["code"], fields["error"] = failure.HTTPStatus, failure.Code, failure.Message
	} else {
		fields["http_status"] = got.status
	}
	tflog.SubsystemDebug(ctx, subsystem, "IEF call", fields)
	if !tflog.SubsystemIsTrace(ctx, subsystem) {
		return
	}
	bodies := map[string]any{"operation": k.op, "id": k.id}
	if body != nil {
		bodies["request"] = k.mask.body(body)
	}
	if got != nil {
		bodies["answer"] = k.mask.body(got.body)
	}
	tflog.SubsystemTrace(ctx, subsystem, "IEF bodies", bodies)
}
