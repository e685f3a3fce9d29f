package kuscia

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// pace is how fast failed tries are repeated.
type pace struct {
	// base and max bound the exponential back-off of transient failures.
	base, max time.Duration
	// retryAfter caps what a server asks for in the header Retry-After.
	retryAfter time.Duration
	// conflictBase, conflictMax and conflictFor are for conflicts: eight
	// writers on one serving all get their turn within a few seconds.
	conflictBase, conflictMax, conflictFor time.Duration
	// leftoverBase, leftoverMax and leftoverFor are for leftovers of a deleted
	// serving, gone after 0.1 to 0.6 s on an idle Kuscia v1.1.
	leftoverBase, leftoverMax, leftoverFor time.Duration
}

var defaultPace = pace{
	base: 200 * time.Millisecond, max: 10 * time.Second, retryAfter: 30 * time.Second,
	conflictBase: 40 * time.Millisecond, conflictMax: time.Second, conflictFor: time.Minute,
	leftoverBase: 100 * time.Millisecond, leftoverMax: time.Second, leftoverFor: 30 * time.Second,
}

// call is one operation with all its tries. Its methods run one after another,
// except sent, which is set by the connection.
type call struct {
	client       *Client
	op           operation
	ids          []string
	body         []byte
	inputConfigs []string
	configMask   *masker
	// reportConflicts is set when the caller deals with conflicts itself.
	reportConflicts bool

	attempt int
	started time.Time
	// sent is set once a try has a connection: from then on the request may
	// have reached the server.
	sent atomic.Bool

	// last is the failure of the last try, nil after a success.
	last *Error
	data json.RawMessage
	// ambiguous is set when any try may have had its effect.
	ambiguous bool

	// cut is set when the caller's context ended in the middle of a try.
	cut bool
	// again is set when the policy wants another try, after wait.
	again     bool
	wait      time.Duration
	transient int
	conflicts series
	leftovers series
}

// series counts one kind of failure that is repeated for a time.
type series struct {
	count int
	since time.Time
}

// answer is the outcome of a successful call.
type answer struct {
	call *call
	data json.RawMessage
}

// unexpected makes the error for an answer whose data are not as they are due.
func (a *answer) unexpected(problem error) error {
	e := a.call.newError(finding{kinds: []error{ErrUnexpectedAnswer}, cause: causeBadAnswer}, problem.Error())
	e.HTTPStatus = http.StatusOK
	return e
}

// run makes the call. go-retryablehttp repeats it; check decides.
func (k *call) run(ctx context.Context) (*answer, error) {
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { k.sent.Store(true) },
	})
	var body any
	if k.body != nil {
		body = k.body
	}
	request, err := retryablehttp.NewRequestWithContext(ctx, k.op.method, k.client.endpoint.JoinPath(k.op.path).String(), body)
	if err != nil {
		return nil, fmt.Errorf("%s: make the request: %w", k.op.name, err)
	}
	if k.body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	request.Header.Set("Accept", "application/json, text/plain")
	if k.client.config.Token != "" {
		request.Header.Set("Token", k.client.config.Token)
	}
	if k.client.config.UserAgent != "" {
		request.Header.Set("User-Agent", k.client.config.UserAgent)
	}
	retrying := &retryablehttp.Client{
		HTTPClient: k.client.http,
		// check counts, since not every failure counts alike.
		RetryMax:       math.MaxInt32,
		RequestLogHook: func(retryablehttp.Logger, *http.Request, int) { k.begin(ctx) },
		CheckRetry:     k.check,
		Backoff:        func(time.Duration, time.Duration, int, *http.Response) time.Duration { return k.wait },
		ErrorHandler:   retryablehttp.PassthroughErrorHandler,
	}
	response, err := retrying.Do(request)
	if response != nil {
		// check has read the body; this is the empty one it left.
		_ = response.Body.Close()
	}
	switch {
	case k.cut || ctx.Err() != nil && (k.again || k.attempt == 0):
		return nil, k.stopped(ctx)
	case k.last != nil:
		return nil, k.last
	}
	if k.attempt == 0 || err != nil {
		return nil, fmt.Errorf("%s: send the request: %w", k.op.name, err)
	}
	return &answer{call: k, data: k.data}, nil
}

// begin notes the start of a try.
func (k *call) begin(ctx context.Context) {
	if k.attempt == 0 {
		k.logRequest(ctx)
	}
	k.attempt++
	k.started = time.Now()
	k.sent.Store(false)
	k.again = false
}

// check is the policy of go-retryablehttp: it reads the answer, which tells in
// its body whether the try failed, and says whether there is another.
func (k *call) check(ctx context.Context, response *http.Response, err error) (bool, error) {
	var body []byte
	if err == nil {
		body, err = readBounded(response.Body, response.ContentLength, maxAnswer)
		_ = response.Body.Close()
		response.Body = http.NoBody
		switch {
		case err == nil:
		case saysPlainHTTPOnTLSPort(response.StatusCode, body):
			// Such a server drops the connection right after its text.
			err = nil
		default:
			// A part of an answer is not used, nor logged: what is secret in it
			// may be cut in the middle, where nothing knows it any more.
			body = nil
		}
	}
	var found finding
	var code int32
	var message string
	failed := true
	switch {
	case err != nil:
		found, message = k.transportFailure(err)
	default:
		found, code, message, failed = k.judge(response, body)
	}
	k.ambiguous = k.ambiguous || failed && found.ambiguous
	k.cut = err != nil && ctx.Err() != nil
	if k.cut {
		// Not this try's fault; what the one before said is worth more.
		k.logAnswer(ctx, nil)
		return false, nil
	}
	k.last = nil
	if failed {
		k.last = k.newError(found, message)
		k.last.Code = code
		if response != nil {
			k.last.HTTPStatus = response.StatusCode
		}
		if err != nil {
			k.last.Err = keepCause(err)
		}
		k.again = k.decide(found, response)
	}
	k.logAnswer(ctx, body)
	return k.again, nil
}

// judge says what an HTTP answer means.
func (k *call) judge(response *http.Response, body []byte) (found finding, code int32, message string, failed bool) {
	status := response.StatusCode
	if status < 200 || status > 299 {
		found = judgeStatus(k.op, status, body)
		return found, 0, statusText(response, body), true
	}
	if k.op.plain {
		k.data = body
		return finding{}, 0, "", false
	}
	envelope, data, err := decodeEnvelope(body)
	if err != nil {
		found = finding{kinds: []error{ErrUnexpectedAnswer}, ambiguous: k.op.writes, cause: causeBadAnswer}
		message = err.Error()
		if errors.Is(err, errNotJSON) {
			// A cut-off answer, or a page of something in between: the next
			// try may get through.
			found.retry = transient
			switch {
			case len(body) == 0:
				message, found.cause = "the answer is empty", causeLostAnswer
			case looksLikeHTML(response, body):
				message, found.cause = "the answer is an HTML page", causeHTML
			}
		}
		return found, 0, message, true
	}
	if envelope.Code != 0 {
		return classify(k.op, k.ids, envelope.Code, envelope.Message), envelope.Code, envelope.Message, true
	}
	k.data = data
	if k.op.flat {
		k.data = body
	}
	return finding{}, 0, "", false
}

// decide says whether there is another try, and sets the wait before it.
func (k *call) decide(found finding, response *http.Response) bool {
	p := k.client.pace
	switch found.retry {
	case conflict:
		if k.reportConflicts {
			return false
		}
		k.wait = backoff(p.conflictBase, p.conflictMax, k.conflicts.count)
		return k.conflicts.next(p.conflictFor)
	case leftover:
		k.wait = backoff(p.leftoverBase, p.leftoverMax, k.leftovers.count)
		return k.leftovers.next(p.leftoverFor)
	case transient:
		if k.op.creates && found.ambiguous || k.transient >= k.client.config.MaxRetries {
			return false
		}
		k.wait = backoff(p.base, p.max, k.transient)
		if asked, ok := retryAfter(response); ok {
			// Some jitter on top, so that callers do not return all at once.
			k.wait = min(asked, p.retryAfter) + rand.N(p.base)
		}
		k.transient++
		return true
	}
	return false
}

// next counts a failure and says whether its time is not over yet.
func (s *series) next(limit time.Duration) bool {
	if s.count == 0 {
		s.since = time.Now()
	}
	s.count++
	return time.Since(s.since) < limit
}

// backoff doubles from base to limit and takes a random half off.
func backoff(base, limit time.Duration, count int) time.Duration {
	wait := limit
	if count < 16 {
		wait = min(limit, base<<count)
	}
	return wait/2 + rand.N(wait/2+1)
}

// retryAfter reads the header of that name, in seconds or as a date.
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

// stopped is the error for a call that the caller's context ended.
func (k *call) stopped(ctx context.Context) error {
	e := k.newError(finding{cause: causeCancelled}, "stopped: "+ctx.Err().Error())
	if k.last != nil {
		e.Code, e.HTTPStatus, e.cause = k.last.Code, k.last.HTTPStatus, k.last.cause
		if k.last.Message != "" {
			e.Message += "; before that: " + k.last.Message
		}
	}
	e.Err = ctx.Err()
	return e
}

func (k *call) newError(found finding, message string) *Error {
	return &Error{
		Op: k.op.name, ID: k.id(), Message: k.masker().text(message), Attempts: k.attempt,
		kinds: found.kinds, ambiguous: k.ambiguous, cause: found.cause,
	}
}

// id is what errors and logs call the object.
func (k *call) id() string {
	switch len(k.ids) {
	case 0:
		return ""
	case 1:
		return k.ids[0]
	default:
		return fmt.Sprintf("%s and %d more", k.ids[0], len(k.ids)-1)
	}
}

func (k *call) masker() masker {
	if k.configMask == nil {
		m := k.client.mask
		for _, config := range k.inputConfigs {
			m = m.withConfig(config)
		}
		k.configMask = &m
	}
	return *k.configMask
}
