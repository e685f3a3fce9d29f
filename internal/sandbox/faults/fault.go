package faults

import (
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Kind is a kind of fault.
type Kind string

// The kinds of faults for every API; one may have more. Some can be injected before the request takes effect or,
// with AfterEffect, after it; see their comments.
const (
	// Latency returns the correct response after Delay.
	Latency Kind = "latency"
	// Reset drops the connection; before or after the effect.
	Reset Kind = "reset"
	// Timeout returns no response until the client disconnects or, if set,
	// Delay has passed; then the connection is dropped. Before or after the
	// effect.
	Timeout Kind = "timeout"
	// Status returns HTTP Status (default 503) with RetryAfter if set, as a
	// gateway does; before or after the effect.
	Status Kind = "status"
	// Unauthorized returns 401 as for a wrong token, without effect.
	Unauthorized Kind = "unauthorized"
	// Truncated drops the connection in the middle of the correct response.
	Truncated Kind = "truncated"
	// Empty returns 200 without a body, after the effect.
	Empty Kind = "empty"
	// HTML returns 200 with a web page; before or after the effect.
	HTML Kind = "html"
	// ContentType returns the correct response with ContentType (default
	// text/plain) instead of that of JSON.
	ContentType Kind = "content_type"
	// Slow sends the correct response byte by byte over Delay.
	Slow Kind = "slow"
	// Code returns Code with Message as an error of the API; before or after
	// the effect.
	Code Kind = "code"
	// Body returns any Body with ContentType and Status (default JSON and 200);
	// before or after the effect.
	Body Kind = "body"
	// Endless returns a body of Size bytes of JSON text, or an endless one if
	// Size is 0, without effect.
	Endless Kind = "endless"
	// Redirect returns 307 to Location, without effect.
	Redirect Kind = "redirect"
)

// Fault selects requests and how they fail.
type Fault struct {
	// Kind is the kind; "" is Body if Status is set, else Timeout if Delay is set,
	// else Reset.
	Kind Kind `json:"kind"`
	// Method is the method of the affected requests; "" means every method.
	Method string `json:"method,omitempty"`
	// Path is the suffix of the affected paths, such as serving/create; ""
	// means every path.
	Path string `json:"path,omitempty"`
	// Contains must be in the request's body, such as a serving id.
	Contains string `json:"contains,omitempty"`
	// Nth is the first affected request among the matching ones: 0 and 1 are
	// the next one.
	Nth int `json:"nth,omitempty"`
	// Times is the number of affected requests: 0 means one (without Percent),
	// negative means all.
	Times int `json:"times,omitempty"`
	// Percent is the probability with which a matching request is affected,
	// without limit unless Times is set. The choice is repeatable with
	// Options.Seed.
	Percent float64 `json:"percent,omitempty"`
	// AfterEffect injects the fault after the effect, for kinds with that
	// option.
	AfterEffect bool `json:"after_effect,omitempty"`

	Delay       time.Duration `json:"-"`
	Status      int           `json:"status,omitempty"`
	RetryAfter  time.Duration `json:"-"`
	Code        int32         `json:"code,omitempty"`
	Message     string        `json:"message,omitempty"`
	Body        string        `json:"body,omitempty"`
	ContentType string        `json:"content_type,omitempty"`
	Size        int64         `json:"size,omitempty"`
	Location    string        `json:"location,omitempty"`
}

// Always is for Fault.Times: every matching request.
const Always = -1

// withKind returns the fault with its kind.
func (f Fault) withKind() Fault {
	switch {
	case f.Kind != "":
	case f.Status != 0:
		f.Kind = Body
	case f.Delay > 0:
		f.Kind = Timeout
	default:
		f.Kind = Reset
	}
	return f
}

// activeFault is an injected fault with its counters.
type activeFault struct {
	Fault
	seen, hits int
	// snapshot is the snapshot of API.Snapshot.
	snapshot any
	// rng is separate for each fault, so that other faults do not change which
	// requests it affects.
	rng *rand.Rand
}

// Behavior is what a fault does whose kind only this API has.
type Behavior int

// The values of Behavior.
const (
	// UnknownKind: the API does not have this kind.
	UnknownKind Behavior = iota
	// Fails: API.Fail writes the response, and the request has no effect.
	Fails
	// FailsBeforeOrAfter: API.Fail writes the response; before or, with AfterEffect,
	// after the effect.
	FailsBeforeOrAfter
	// PassesThrough: the response is the API's own, with what API.Apply adds to
	// the request.
	PassesThrough
)

// API is the server into which faults are injected.
type API interface {
	// Behavior describes a kind of the product.
	Behavior(kind Kind) Behavior
	// Snapshot returns a snapshot, when a fault is injected, for Apply.
	Snapshot(f Fault) any
	// Apply applies a fault inside of the product's handlers: it returns the
	// request for them.
	Apply(r *http.Request, f Fault, taken any) *http.Request
	// Fail writes the response of a fault in the product's format.
	Fail(w http.ResponseWriter, r *http.Request, f Fault, body []byte)
	// EndlessPrefix is the beginning of an endless response, up to and including the
	// opening quote of a string.
	EndlessPrefix() string
}

// List has the injected faults; the first one that matches a request is
// applied.
type List struct {
	api  API
	mu   sync.Mutex
	seed uint64
	list []*activeFault
	// injected counts all faults ever injected.
	injected uint64
}

// NewList returns an empty list. seed determines which requests Percent
// selects.
func NewList(product API, seed uint64) *List { return &List{api: product, seed: seed} }

// Known reports whether a kind exists.
func (l *List) Known(kind Kind) bool {
	switch kind {
	case Latency, Reset, Timeout, Status, Unauthorized, Truncated, Empty, HTML, ContentType, Slow, Code, Body, Endless, Redirect:
		return true
	default:
		return l.api.Behavior(kind) != UnknownKind
	}
}

// Inject appends a fault.
func (l *List) Inject(f Fault) {
	f = f.withKind()
	active := &activeFault{Fault: f, snapshot: l.api.Snapshot(f)}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.injected++
	active.rng = rand.New(rand.NewPCG(l.seed, l.injected))
	l.list = append(l.list, active)
}

// ClearFaults removes all faults. Responses that already hang continue to hang.
func (l *List) ClearFaults() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = nil
}

// Faults lists the injected faults.
func (l *List) Faults() []Fault {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := make([]Fault, len(l.list))
	for i, active := range l.list {
		list[i] = active.Fault
	}
	return list
}

// FaultHits is the number of requests that the current faults have affected.
func (l *List) FaultHits() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	hits := 0
	for _, active := range l.list {
		hits += active.hits
	}
	return hits
}

// pick returns the fault for a request, or nil. Every matching fault counts the
// request, even if an earlier one is applied.
func (l *List) pick(method, path, body string) *activeFault {
	l.mu.Lock()
	defer l.mu.Unlock()
	var hit *activeFault
	for _, active := range l.list {
		if active.Method != "" && active.Method != method || !strings.HasSuffix(path, active.Path) || !strings.Contains(body, active.Contains) {
			continue
		}
		active.seen++
		if active.applies() && hit == nil {
			active.hits++
			hit = active
		}
	}
	return hit
}

// applies reports whether the fault applies to the request that was just
// counted.
func (f *activeFault) applies() bool {
	escapes := f.Percent > 0 && f.rng.Float64() >= f.Percent/100
	if escapes || f.seen < f.Nth {
		return false
	}
	times := f.Times
	if times == 0 {
		times = 1
		if f.Percent > 0 {
			times = Always
		}
	}
	return times < 0 || f.hits < times
}
