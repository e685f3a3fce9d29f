package wait

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// answer is the result of a poll for one serving.
type answer struct {
	// listed is false when the server does not know the id.
	listed bool
	status *kuscia.ServingStatusDetail
	err    error
}

type tellFunc func(id string, at time.Time, a answer)

// poll queries the status of the servings of the waiters, and passes each waiter its
// own.
func (p *Poller) poll(ctx context.Context, waiters []*waiter) {
	byID := make(map[string][]*waiter, len(waiters))
	var ids, alone []string
	for _, w := range waiters {
		id := w.target.ServingID
		if byID[id] == nil {
			if p.querySingly[id] {
				alone = append(alone, id)
			} else {
				ids = append(ids, id)
			}
		}
		byID[id] = append(byID[id], w)
	}
	tell := func(id string, at time.Time, a answer) {
		for _, w := range byID[id] {
			w.observe(at, a)
		}
	}
	for chunk := range slices.Chunk(ids, p.chunk) {
		p.askTogether(ctx, chunk, tell)
	}
	for _, id := range alone {
		if at, a := p.ask(ctx, id); ctx.Err() == nil {
			if a.err == nil {
				delete(p.querySingly, id)
			}
			tell(id, at, a)
		}
	}
	p.forgetQueriedSingly()
}

// forgetQueriedSingly forgets the ids that nobody waits for any more.
func (p *Poller) forgetQueriedSingly() {
	if len(p.querySingly) == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for id := range p.querySingly {
		if !slices.ContainsFunc(p.waiters, func(w *waiter) bool { return w.target.ServingID == id }) {
			delete(p.querySingly, id)
		}
	}
}

// askTogether queries many ids at once. When that fails because of one of them, each
// is queried alone: servers up to v0.10 fail the whole request for an
// unknown id, and any server does for one that it cannot look up.
func (p *Poller) askTogether(ctx context.Context, ids []string, tell tellFunc) {
	if len(ids) == 1 {
		if at, a := p.ask(ctx, ids[0]); ctx.Err() == nil {
			tell(ids[0], at, a)
		}
		return
	}
	at := time.Now()
	statuses, err := p.source.BatchQueryServingStatus(ctx, ids)
	switch {
	case ctx.Err() != nil:
	case err == nil:
		found := make(map[string]answer, len(statuses))
		for _, status := range statuses {
			found[status.ServingID] = answer{listed: true, status: status.Status}
		}
		for _, id := range ids {
			tell(id, at, found[id])
		}
	case canBeAboutOne(err):
		p.askEach(ctx, ids, tell)
	default:
		for _, id := range ids {
			tell(id, at, answer{err: err})
		}
	}
}

// minFailures is how many single queries have to fail, with none successful, before all
// ids of a failed batch request are taken to fail. At least as many refusals, or
// equal failures, in a row end a wait.
const minFailures = 3

// askEach queries ids one by one, in random order so that a few that fail do not
// keep the others from being queried. Those that fail while others succeed are
// queried alone from then on.
func (p *Poller) askEach(ctx context.Context, ids []string, tell tellFunc) {
	order := slices.Clone(ids)
	rand.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	var failed []string
	answered := 0
	for i, id := range order {
		at, a := p.ask(ctx, id)
		if ctx.Err() != nil {
			return
		}
		tell(id, at, a)
		if a.err == nil {
			answered++
			continue
		}
		failed = append(failed, id)
		if answered == 0 && len(failed) == minFailures {
			for _, other := range order[i+1:] {
				tell(other, at, a)
			}
			return
		}
	}
	if answered == 0 {
		return
	}
	for _, id := range failed {
		p.querySingly[id] = true
	}
}

// ask queries one id.
func (p *Poller) ask(ctx context.Context, id string) (time.Time, answer) {
	at := time.Now()
	statuses, err := p.source.BatchQueryServingStatus(ctx, []string{id})
	if errors.Is(err, kuscia.ErrNotFound) {
		return at, answer{}
	}
	if err != nil {
		return at, answer{err: err}
	}
	for _, status := range statuses {
		if status.ServingID == id {
			return at, answer{listed: true, status: status.Status}
		}
	}
	return at, answer{}
}

// canBeAboutOne reports whether the failure of a request can come from a single
// id of it. Whatever a handler of Kuscia answered can; that no handler was
// reached cannot.
func canBeAboutOne(err error) bool {
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
