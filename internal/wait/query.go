package wait

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// queryResult is the result of a query for one serving.
type queryResult struct {
	// listed is false if the server does not know the id.
	listed bool
	status *kuscia.ServingStatusDetail
	err    error
}

type deliverFunc func(id string, at time.Time, a queryResult)

// poll queries the status of the servings of the waiters and passes each waiter
// its own.
func (p *Poller) poll(ctx context.Context, waiters []*waiter) {
	byID := make(map[string][]*waiter, len(waiters))
	var ids, single []string
	singly := p.queriedSingly()
	for _, w := range waiters {
		id := w.target.ServingID
		if byID[id] == nil {
			if singly[id] {
				single = append(single, id)
			} else {
				ids = append(ids, id)
			}
		}
		byID[id] = append(byID[id], w)
	}
	deliver := func(id string, at time.Time, a queryResult) {
		for _, w := range byID[id] {
			w.observe(at, a)
		}
	}
	for chunk := range slices.Chunk(ids, p.chunk) {
		p.queryBatch(ctx, chunk, deliver)
	}
	for _, id := range single {
		if at, a := p.query(ctx, id); ctx.Err() == nil {
			if a.err == nil {
				p.setQueriedSingly(id, false)
			}
			deliver(id, at, a)
		}
	}
	p.forgetQueriedSingly()
}

// queriedSingly returns the ids that are to be queried singly.
func (p *Poller) queriedSingly() map[string]bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.querySingly)
}

func (p *Poller) setQueriedSingly(id string, singly bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if delete(p.querySingly, id); singly {
		p.querySingly[id] = true
	}
}

// forgetQueriedSingly drops the ids that no waiter has any more.
func (p *Poller) forgetQueriedSingly() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id := range p.querySingly {
		if !slices.ContainsFunc(p.waiters, func(w *waiter) bool { return w.target.ServingID == id }) {
			delete(p.querySingly, id)
		}
	}
}

// queryBatch queries many ids in one request. If that fails because of one of
// them, each is queried separately: servers up to v0.10 fail the whole request
// for an unknown id, and every server does for an id that it cannot look up.
func (p *Poller) queryBatch(ctx context.Context, ids []string, deliver deliverFunc) {
	if len(ids) == 1 {
		if at, a := p.query(ctx, ids[0]); ctx.Err() == nil {
			deliver(ids[0], at, a)
		}
		return
	}
	at := time.Now()
	statuses, err := p.source.BatchQueryServingStatus(ctx, ids)
	switch {
	case ctx.Err() != nil:
	case err == nil:
		found := make(map[string]queryResult, len(statuses))
		for _, status := range statuses {
			found[status.ServingID] = queryResult{listed: true, status: status.Status}
		}
		for _, id := range ids {
			deliver(id, at, found[id])
		}
	case mayConcernOneID(err):
		p.queryEach(ctx, ids, deliver)
	default:
		for _, id := range ids {
			deliver(id, at, queryResult{err: err})
		}
	}
}

// minFailures is how many single queries must fail, with none successful, before
// all ids of a failed batch request count as failed. A wait ends only after at
// least as many consecutive refusals or equal failures.
const minFailures = 3

// queryEach queries ids one by one, in random order so that a few failing ones do
// not keep the others from being queried. Ids that fail while others succeed are
// queried singly from then on.
func (p *Poller) queryEach(ctx context.Context, ids []string, deliver deliverFunc) {
	order := slices.Clone(ids)
	rand.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	var failed []string
	succeeded := 0
	for i, id := range order {
		at, a := p.query(ctx, id)
		if ctx.Err() != nil {
			return
		}
		deliver(id, at, a)
		if a.err == nil {
			succeeded++
			continue
		}
		failed = append(failed, id)
		if succeeded == 0 && len(failed) == minFailures {
			for _, other := range order[i+1:] {
				deliver(other, at, a)
			}
			return
		}
	}
	if succeeded == 0 {
		return
	}
	for _, id := range failed {
		p.setQueriedSingly(id, true)
	}
}

// query queries one id.
func (p *Poller) query(ctx context.Context, id string) (time.Time, queryResult) {
	at := time.Now()
	statuses, err := p.source.BatchQueryServingStatus(ctx, []string{id})
	if errors.Is(err, kuscia.ErrNotFound) {
		return at, queryResult{}
	}
	if err != nil {
		return at, queryResult{err: err}
	}
	for _, status := range statuses {
		if status.ServingID == id {
			return at, queryResult{listed: true, status: status.Status}
		}
	}
	return at, queryResult{}
}

// mayConcernOneID reports whether a single id can be the cause of a failed
// request. Every error code of a Kuscia handler can have that cause; an error
// before a handler was reached cannot.
func mayConcernOneID(err error) bool {
	var answered *kuscia.Error
	if errors.As(err, &answered) && answered.Code != "" {
		return true
	}
	for _, all := range []error{kuscia.ErrUnavailable, kuscia.ErrTLS, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, all) {
			return false
		}
	}
	return true
}
