package servingstatus

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// queryResult is the result of a query for one serving.
type queryResult struct {
	// at is when the request was sent.
	at time.Time
	// listed is false if the server does not know the id.
	listed bool
	status *kuscia.ServingStatusDetail
	err    error
}

type deliverFunc func(id string, r queryResult)

// poll queries the status of the servings of subscriptions and delivers each its own.
func (p *Poller) poll(ctx context.Context, due []*Subscription) {
	byID := make(map[string][]*Subscription, len(due))
	var ids, single []string
	singly := p.queriedSingly()
	for _, s := range due {
		if byID[s.id] == nil {
			if singly[s.id] {
				single = append(single, s.id)
			} else {
				ids = append(ids, s.id)
			}
		}
		byID[s.id] = append(byID[s.id], s)
	}
	deliver := func(id string, r queryResult) {
		for _, s := range byID[id] {
			s.results <- r
		}
	}
	for chunk := range slices.Chunk(ids, p.chunk) {
		p.queryBatch(ctx, chunk, deliver)
	}
	for _, id := range single {
		if r := p.query(ctx, id); ctx.Err() == nil {
			if r.err == nil {
				p.setQueriedSingly(id, false)
			}
			deliver(id, r)
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

// forgetQueriedSingly drops the ids that no subscription has any more.
func (p *Poller) forgetQueriedSingly() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id := range p.querySingly {
		if !slices.ContainsFunc(p.subscriptions, func(s *Subscription) bool { return s.id == id }) {
			delete(p.querySingly, id)
		}
	}
}

// queryBatch queries many ids in one request. If that fails because of one of
// them, each is queried separately: servers up to v0.10 fail the whole request
// for an unknown id, and every server does for an id that it cannot look up.
func (p *Poller) queryBatch(ctx context.Context, ids []string, deliver deliverFunc) {
	if len(ids) == 1 {
		if r := p.query(ctx, ids[0]); ctx.Err() == nil {
			deliver(ids[0], r)
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
			r := found[id]
			r.at = at
			deliver(id, r)
		}
	case mayConcernOneID(err):
		p.queryEach(ctx, ids, deliver)
	default:
		for _, id := range ids {
			deliver(id, queryResult{at: at, err: err})
		}
	}
}

// queryEach queries ids one by one, in random order so that a few failing ones do
// not keep the others from being queried. Ids that fail while others succeed are
// queried singly from then on.
func (p *Poller) queryEach(ctx context.Context, ids []string, deliver deliverFunc) {
	order := slices.Clone(ids)
	rand.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	var failed []string
	succeeded := 0
	for i, id := range order {
		r := p.query(ctx, id)
		if ctx.Err() != nil {
			return
		}
		deliver(id, r)
		if r.err == nil {
			succeeded++
			continue
		}
		failed = append(failed, id)
		if succeeded == 0 && len(failed) == wait.MinFailures {
			for _, other := range order[i+1:] {
				deliver(other, r)
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
func (p *Poller) query(ctx context.Context, id string) queryResult {
	r := queryResult{at: time.Now()}
	statuses, err := p.source.BatchQueryServingStatus(ctx, []string{id})
	if err != nil {
		if !errors.Is(err, kuscia.ErrNotFound) {
			r.err = err
		}
		return r
	}
	for _, status := range statuses {
		if status.ServingID == id {
			r.listed, r.status = true, status.Status
		}
	}
	return r
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
