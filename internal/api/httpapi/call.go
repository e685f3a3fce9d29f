package httpapi

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
)

// Backoff configures the waits between attempts, and for how long attempts are
// repeated.
type Backoff struct {
	// Base and Max bound the exponential backoff of transient failures.
	Base, Max time.Duration
	// RestartTimeout is how long calls are repeated regardless of MaxRetries, unless
	// MaxRetries is 0, while a server that has responded before accepts no
	// connections. It probably restarts, and the calls certainly had no effect.
	// A real node needs 20 to 60 s.
	RestartTimeout time.Duration
	// MaxRetryAfter limits the wait that a server requests with the header
	// Retry-After.
	MaxRetryAfter time.Duration
	// ConflictBase, ConflictMax and ConflictTimeout apply to conflicts. With the defaults, eight concurrent writers of
	// one serving all succeed within a few seconds.
	ConflictBase, ConflictMax, ConflictTimeout time.Duration
	// PendingDeletionBase, PendingDeletionMax and PendingDeletionTimeout apply to leftovers of a deleted
	// serving, which an idle Kuscia v1.1 removes within 0.1 to 0.6 s.
	PendingDeletionBase, PendingDeletionMax, PendingDeletionTimeout time.Duration
}

// DefaultBackoff is the backoff of a new client.
var DefaultBackoff = Backoff{
	Base: 200 * time.Millisecond, Max: 10 * time.Second, RestartTimeout: time.Minute, MaxRetryAfter: 30 * time.Second,
	ConflictBase: 80 * time.Millisecond, ConflictMax: 2 * time.Second, ConflictTimeout: time.Minute,
	PendingDeletionBase: 100 * time.Millisecond, PendingDeletionMax: time.Second, PendingDeletionTimeout: 30 * time.Second,
}

// call is one operation with all its attempts. Its methods run one after
// another; only sent and credentials are set concurrently, by the connection.
type call struct {
	*Call
	client *Client
	mask   *Masker
	// reportConflicts is set if the caller handles conflicts itself.
	reportConflicts bool
	// retrySoon is set if the caller needs short waits between attempts.
	retrySoon bool
	// retryRestart is set unless the caller handles restarts of the server.
	retryRestart bool

	attempt int
	started time.Time
	// sent is set once an attempt has a connection: from then on the request
	// may have reached the server.
	sent atomic.Bool
	// credentials are those that were sent.
	credentials sentCredentials

	// last is the failure of the last attempt, nil after a success.
	last *apierror.Error
	data Document
	text string
	// outcomeUnknown is set if any attempt may have taken effect.
	outcomeUnknown bool

	// contextEnded is set if the caller's context ended during an attempt.
	contextEnded bool
	// transientFailure is set if the last attempt failed, and another one may succeed.
	transientFailure bool
	// retry is set if the policy requests another attempt, after wait.
	retry            bool
	wait             time.Duration
	transient        int
	conflicts        series
	pendingDeletions series
	// restarts are the failures of a server that restarts, which count for no other kind.
	restarts series
}

// series counts one kind of failure that is repeated for a limited time.
type series struct {
	count int
	since time.Time
}

// Response is the response to a successful call.
type Response struct {
	// Data is the data that the protocol extracted from the response, Text that
	// of a Plain operation.
	Data Document
	Text string
	call *call
}

// Masker masks the secrets of the client and of the call.
func (r *Response) Masker() Masker { return r.call.masker() }

// Unexpected returns the error for a response whose data is malformed.
func (r *Response) Unexpected(problem error) error {
	e := r.call.newError(ClassifyMalformed(r.call.Call, problem))
	e.HTTPStatus = http.StatusOK
	e.OutcomeUnknown = r.call.Writes
	e.Hint = r.call.client.config.Protocol.Hint(e)
	return e
}

// run makes the call, with as many attempts as check asks for.
func (k *call) run(ctx context.Context) (*Response, error) {
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn:          func(httptrace.GotConnInfo) { k.sent.Store(true) },
		WroteHeaderField: k.credentials.record,
	})
	began, answers := time.Now(), k.client.unanswered.answersSoFar()
	for again := true; again; {
		request, err := k.request(ctx)
		if err != nil {
			return nil, fmt.Errorf("%s: make the request: %w", k.Name, err)
		}
		k.begin(ctx)
		response, err := k.client.http.Do(request)
		k.check(ctx, response, err)
		again = k.retry && k.pause(ctx)
	}
	switch {
	case k.contextEnded || ctx.Err() != nil && k.retry:
		return nil, k.canceledError(ctx)
	case k.last != nil:
		if k.common() && k.transientFailure {
			k.client.unanswered.recordFailure(k.Call, answers, time.Since(began), k.last)
		}
		return nil, k.last
	}
	return &Response{call: k, Data: k.data, Text: k.text}, nil
}

// common reports whether the failure of the call may be that of others. A wait that measures
// outages needs each of its own.
func (k *call) common() bool { return !k.Writes && k.retryRestart }

// pause waits before the next attempt and returns false if the context ends before that.
func (k *call) pause(ctx context.Context) bool {
	timer := time.NewTimer(k.wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// request returns the request of one attempt, authorized.
func (k *call) request(ctx context.Context) (*http.Request, error) {
	address := k.client.endpoint.JoinPath(k.Path)
	address.RawQuery = k.Query
	var body io.Reader
	if k.Body != nil {
		body = bytes.NewReader(k.Body)
	}
	request, err := http.NewRequestWithContext(ctx, k.Method, address.String(), body)
	if err != nil {
		return nil, err
	}
	maps.Copy(request.Header, k.Header)
	if k.Body != nil && request.Header.Get("Content-Type") == "" {
		request.Header.Set("Content-Type", "application/json")
	}
	request.Header.Set("Accept", "application/json, text/plain")
	if k.client.config.UserAgent != "" {
		request.Header.Set("User-Agent", k.client.config.UserAgent)
	}
	return request, k.client.config.Protocol.Authorize(request, k.Body)
}

// begin records the start of an attempt.
func (k *call) begin(ctx context.Context) {
	if k.attempt == 0 {
		k.logRequest(ctx)
	}
	k.attempt++
	k.started = time.Now()
	k.sent.Store(false)
	k.retry = false
}

// check reads the response, since an error may be in its body, and sets retry if
// another attempt may succeed.
func (k *call) check(ctx context.Context, response *http.Response, err error) {
	var body []byte
	if err == nil && response.StatusCode < 200 {
		// 101: the connection now belongs to another protocol, and neither the
		// context nor the time limit ends a read.
		_ = response.Body.Close()
	} else if err == nil {
		body, err = readBounded(response.Body, response.ContentLength, MaxResponseSize)
		_ = response.Body.Close()
		switch {
		case err == nil:
		case saysPlainHTTPOnTLSPort(response.StatusCode, body):
			// The server closes the connection right after this text.
			err = nil
		default:
			// A truncated response is neither used nor logged: the masker
			// cannot find a secret that is cut in two.
			body = nil
		}
	}
	var found Classification
	if err != nil {
		found = k.transportFailure(err)
	} else {
		found = k.client.config.Protocol.Classify(k.Call, response, body)
	}
	if !found.Failed {
		k.client.restart.recordResponse()
	}
	k.outcomeUnknown = k.outcomeUnknown || found.Failed && found.OutcomeUnknown
	k.contextEnded = err != nil && ctx.Err() != nil
	if k.contextEnded {
		// The context ended the attempt; keep the error of the previous
		// one.
		k.logResponse(ctx, nil)
		return
	}
	if k.transientFailure = found.Failed && found.Retry == Transient; !k.transientFailure {
		k.client.unanswered.recordAnswer()
	}
	k.last, k.data, k.text = nil, found.Data, found.Text
	if found.Failed {
		k.last = k.newError(found)
		if response != nil {
			k.last.HTTPStatus = response.StatusCode
		}
		if err != nil {
			k.last.Err = keepCause(err)
		}
		k.last.Hint = k.client.config.Protocol.Hint(k.last)
		k.retry = k.decide(ctx, found, response)
	}
	k.logResponse(ctx, body)
}

// decide returns whether to try again, and sets the wait before that.
func (k *call) decide(ctx context.Context, found Classification, response *http.Response) bool {
	p := k.client.Backoff
	restarts := k.serverRestarts(ctx, found, response)
	if restarts && found.Retry == Never {
		found.Retry = Transient
	}
	switch found.Retry {
	case Conflict:
		if k.reportConflicts || k.conflicts.count >= conflictsPerRetry*k.client.config.MaxRetries {
			return false
		}
		k.wait = backoff(p.ConflictBase, p.ConflictMax, k.conflicts.count)
		return k.conflicts.next(p.ConflictTimeout)
	case PendingDeletion:
		k.wait = backoff(p.PendingDeletionBase, p.PendingDeletionMax, k.pendingDeletions.count)
		return k.pendingDeletions.next(p.PendingDeletionTimeout)
	case Transient:
		if k.Creates && found.OutcomeUnknown || k.transient >= k.client.config.MaxRetries && !restarts {
			return false
		}
		limit, count := p.Max, k.transient
		switch {
		case k.retrySoon:
			limit = min(limit, soon)
		case restarts:
			limit, count = min(limit, restartPause), k.restarts.count
		}
		k.wait = backoff(p.Base, limit, count)
		if after, ok := retryAfter(response); ok {
			// Jitter, so that callers do not retry all at once.
			k.wait = min(after, p.MaxRetryAfter) + rand.N(p.Base)
		}
		if !restarts {
			k.transient++
		}
		return true
	}
	return false
}

// conflictsPerRetry is how many conflicts count as one retry: each is over in milliseconds, and
// one of eight writers may lose more often than requests are lost.
const conflictsPerRetry = 3

// next counts a failure and returns whether the time limit is not reached yet.
func (s *series) next(limit time.Duration) bool {
	if s.count == 0 {
		s.since = time.Now()
	}
	s.count++
	return time.Since(s.since) < limit
}

// backoff doubles from base to limit and subtracts a random part of up to a
// half.
func backoff(base, limit time.Duration, count int) time.Duration {
	wait := limit
	if count < 16 {
		wait = min(limit, base<<count)
	}
	return wait/2 + rand.N(wait/2+1)
}

// retryAfter parses the header Retry-After, in seconds or as a date.
func retryAfter(response *http.Response) (time.Duration, bool) {
	if response == nil || response.StatusCode != http.StatusTooManyRequests && response.StatusCode != http.StatusServiceUnavailable {
		return 0, false
	}
	text := response.Header.Get("Retry-After")
	if seconds, err := strconv.ParseInt(text, 10, 32); err == nil && seconds >= 0 {
		return time.Duration(seconds) * time.Second, true
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(at)), true
	}
	return 0, false
}

// canceledError returns the error for a call whose context ended.
func (k *call) canceledError(ctx context.Context) error {
	e := k.newError(Classification{Cause: CauseCanceled, Message: "stopped: " + ctx.Err().Error()})
	if k.last != nil {
		e.Code, e.HTTPStatus, e.Cause, e.Hint = k.last.Code, k.last.HTTPStatus, k.last.Cause, k.last.Hint
		if k.last.Message != "" {
			e.Message += "; before that: " + k.last.Message
		}
	}
	e.Err = ctx.Err()
	return e
}

func (k *call) newError(c Classification) *apierror.Error {
	e := &apierror.Error{
		Op: k.Name, ID: k.id(), Code: c.Code, Message: k.masker().Text(c.Message), Attempts: k.attempt,
		Kinds: c.Kinds, OutcomeUnknown: k.outcomeUnknown, Cause: c.Cause,
	}
	if c.Details != nil {
		e.Err = c.Details(k.masker())
	}
	return e
}

// id identifies the object in errors and logs.
func (c *Call) id() string {
	switch len(c.IDs) {
	case 0:
		return ""
	case 1:
		return c.IDs[0]
	default:
		return fmt.Sprintf("%s and %d more", c.IDs[0], len(c.IDs)-1)
	}
}

func (k *call) masker() Masker {
	if k.mask == nil {
		m := k.client.mask.With(k.Secrets...)
		k.mask = &m
	}
	if sent := k.credentials.take(); len(sent) > 0 {
		m := k.mask.add(sent)
		k.mask = &m
	}
	return *k.mask
}
