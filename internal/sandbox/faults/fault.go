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

// The kinds of faults. Those that say so can strike before the request has its
// effect or, with AfterEffect, after it.
const (
	// Latency answers rightly, Delay later.
	Latency Kind = "latency"
	// Reset drops the connection; before or after the effect.
	Reset Kind = "reset"
	// Timeout never answers, until the client leaves or, when given, Delay
	// has passed; then the connection is dropped. Before or after the effect.
	Timeout Kind = "timeout"
	// Status answers HTTP Status (default 503) with RetryAfter if given,
	// as a gateway does; before or after the effect.
	Status Kind = "status"
	// Unauthorized answers 401 as for a wrong token, without effect.
	Unauthorized Kind = "unauthorized"
	// Truncated drops the connection in the middle of the right answer.
	Truncated Kind = "truncated"
	// Empty answers 200 with no body, after the effect.
	Empty Kind = "empty"
	// HTML answers 200 with a web page; before or after the effect.
	HTML Kind = "html"
	// ContentType gives the right answer ContentType (default
	// text/plain) instead of JSON's.
	ContentType Kind = "content_type"
	// Slow sends the right answer byte by byte over Delay.
	Slow Kind = "slow"
	// Code answers status.code Code with Message; before or after the
	// effect.
	Code Kind = "code"
	// MasterFailed answers code 11103, which passes; no effect.
	MasterFailed Kind = "master_failed"
	// Conflict answers that the object has been modified, without effect.
	Conflict Kind = "conflict"
	// EtcdTimeout answers "etcdserver: request timed out" with the code of
	// the operation; before or after the effect.
	EtcdTimeout Kind = "etcd_timeout"
	// Panic answers as when the handler panicked (code 11101), no effect.
	Panic Kind = "panic"
	// StaleStatus answers status and query with the statuses at the time
	// of Inject.
	StaleStatus Kind = "stale_status"
	// Lag lets the controllers leave the servings that the request creates
	// or changes alone until Delay has passed; see Timing.Lag.
	Lag Kind = "lag"
	// Body answers Body with ContentType and Status (default JSON and
	// 200), whatever that is; before or after the effect.
	Body Kind = "body"
	// Endless answers with a body of Size bytes of JSON text, or without
	// an end when Size is 0; no effect.
	Endless Kind = "endless"
	// Redirect answers 307 to Location, without effect.
	Redirect Kind = "redirect"
)

// Known reports whether there is such a kind.
func (k Kind) Known() bool {
	switch k {
	case Latency, Reset, Timeout, Status, Unauthorized, Truncated, Empty,
		HTML, ContentType, Slow, Code, MasterFailed, Conflict, EtcdTimeout,
		Panic, StaleStatus, Lag, Body, Endless, Redirect:
		return true
	default:
		return false
	}
}

// Fault says which requests fail and how.
type Fault struct {
	Kind Kind `json:"kind"`
	// Path is the end of the paths that are hit, such as serving/create;
	// "" is every path.
	Path string `json:"path,omitempty"`
	// Contains must be in the request's body, such as a serving id.
	Contains string `json:"contains,omitempty"`
	// Nth is the first matching request that is hit: 0 and 1 are the next one.
	Nth int `json:"nth,omitempty"`
	// Times is how many matching requests are hit: 0 is one (without Percent),
	// negative is all.
	Times int `json:"times,omitempty"`
	// Percent of the matching requests are hit by chance, all of time unless
	// Times is set. Which of them is repeatable with Options.Seed.
	Percent float64 `json:"percent,omitempty"`
	// AfterEffect lets the request have its effect first, where the kind has
	// the choice.
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

// activeFault is an injected fault with its counters.
type activeFault struct {
	Fault
	seen, hits int
	// taken is the product's snapshot from when the fault was injected.
	taken any
	// rng is the fault's own, so that other faults do not change which requests it hits.
	rng *rand.Rand
}

// Product is the server into which faults are injected. It implements what differs
// from server to server.
type Product interface {
	// Taken is a snapshot that the product takes when a fault is injected, for Hit.
	Taken(f Fault) any
	// Hit applies a fault that takes effect in the product's handlers: it returns the
	// request that these get.
	Hit(r *http.Request, f Fault, taken any) *http.Request
	// Fail writes the response of a fault in the product's format.
	Fail(w http.ResponseWriter, r *http.Request, f Fault, body []byte)
	// Opening is the beginning of an endless response, up to within a string.
	Opening() string
}

// List is the injected faults; the first that matches a request hits.
type List struct {
	product Product
	mu      sync.Mutex
	seed    uint64
	list    []*activeFault
	// injected counts all faults ever injected.
	injected uint64
}

// NewList makes an empty list. seed determines which requests Percent selects.
func NewList(product Product, seed uint64) *List { return &List{product: product, seed: seed} }

// Inject adds a fault after those that are there.
func (l *List) Inject(f Fault) {
	active := &activeFault{Fault: f, taken: l.product.Taken(f)}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.injected++
	active.rng = rand.New(rand.NewPCG(l.seed, l.injected))
	l.list = append(l.list, active)
}

// ClearFaults removes all faults. Answers that hang already go on hanging.
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

// FaultHits is how many requests were hit by the faults that are injected now.
func (l *List) FaultHits() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	hits := 0
	for _, active := range l.list {
		hits += active.hits
	}
	return hits
}

// pick returns the fault that hits a request, or nil. Every matching fault
// counts the request, also when an earlier one hits.
func (l *List) pick(path, body string) *activeFault {
	l.mu.Lock()
	defer l.mu.Unlock()
	var hit *activeFault
	for _, active := range l.list {
		if !strings.HasSuffix(path, active.Path) || !strings.Contains(body, active.Contains) {
			continue
		}
		active.seen++
		if active.strikes() && hit == nil {
			active.hits++
			hit = active
		}
	}
	return hit
}

// strikes decides about the request that was just counted.
func (f *activeFault) strikes() bool {
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
