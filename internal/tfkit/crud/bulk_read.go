package crud

import (
	"context"
	"sync"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
)

// BulkRead reads many objects in one request, each exactly as Query returns it. A
// refresh uses it when it reads several objects of a group; an object that it does
// not return is read with Query.
type BulkRead[W any] struct {
	// Group is the scope of one request, such as the domain of an object.
	Group func(id ID) string
	// Find returns all objects of a group.
	Find func(ctx context.Context, c *clients.Clients, group string) ([]W, error)
	// ID is the identity of an object that was found.
	ID func(group string, found *W) ID
}

// BulkRead makes a BulkRead from the listing of a domain. The domain's id has to be
// the first part of the identity and the only required filter.
func (l *Listing[W]) BulkRead() *BulkRead[W] {
	values := func(group string) map[string]string { return map[string]string{l.Filters[0].Name: group} }
	return &BulkRead[W]{
		Group: func(id ID) string { return id[0] },
		Find: func(ctx context.Context, c *clients.Clients, group string) ([]W, error) {
			return l.Find(ctx, c, values(group))
		},
		ID: func(group string, found *W) ID { return l.ID(values(group), found) },
	}
}

const (
	// readAlone is how many objects of a group are read with Query before all of them
	// are read in one request: a group can be much larger than what the configuration
	// has of it.
	readAlone = 3
	// answerKept is for how long a bulk response serves objects that were not read
	// yet. It bounds how old the response to a read can be.
	answerKept = time.Minute
)

// bulkReads are the reads of one kind of object in one plan or apply.
type bulkReads[W any] struct {
	object  *Object[W]
	clients *clients.Clients

	mu     sync.Mutex
	groups map[string]*readGroup[W]
}

// readGroup is what was read of a group since its last bulk response.
type readGroup[W any] struct {
	// read are the objects that were read. A second read of one needs a newer
	// response.
	read map[string]bool
	// answer is the bulk response, nil if there was no request.
	answer *bulkAnswer[W]
}

// bulkAnswer is one bulk request. found and err may be read once done is closed.
type bulkAnswer[W any] struct {
	done   chan struct{}
	found  map[string]*W
	err    error
	until  time.Time
	writes int64

	// waiting counts the reads that wait for it; at zero it is cancelled and removed
	// from the group.
	waiting int
	cancel  context.CancelFunc
	group   *readGroup[W]
}

// read reads an object for a refresh, and records that it exists. The returned value
// is shared and must not be changed.
func (o *Object[W]) read(ctx context.Context, c *clients.Clients, id ID) (*W, error) {
	found, err := o.readTogether(ctx, c, id)
	if err == nil {
		o.noteSeen(c, id)
	}
	return found, err
}

// readTogether reads an object, in one request with others of its group if possible.
func (o *Object[W]) readTogether(ctx context.Context, c *clients.Clients, id ID) (*W, error) {
	if o.BulkRead == nil {
		return o.API(c).Query(ctx, id)
	}
	reads, _ := c.ForThisRun(o.TypeName, func() any {
		return &bulkReads[W]{object: o, clients: c, groups: map[string]*readGroup[W]{}}
	}).(*bulkReads[W])
	if answer := reads.join(ctx, id); answer != nil {
		select {
		case <-ctx.Done():
			reads.leave(answer)
			return nil, context.Cause(ctx)
		case <-answer.done:
		}
		if found := answer.found[id.String()]; found != nil && answer.writes == c.Writes() {
			return found, nil
		}
	}
	return o.API(c).Query(ctx, id)
}

// join returns the bulk request for an object, which it begins if there is none. It
// is nil for an object that has to be read with Query.
func (r *bulkReads[W]) join(ctx context.Context, id ID) *bulkAnswer[W] {
	r.mu.Lock()
	defer r.mu.Unlock()
	name := r.object.BulkRead.Group(id)
	group := r.groups[name]
	if group == nil || group.read[id.String()] || group.answer.old(r.clients.Writes()) {
		group = &readGroup[W]{read: map[string]bool{}}
		r.groups[name] = group
	}
	group.read[id.String()] = true
	switch {
	case group.answer == nil && len(group.read) <= readAlone:
		return nil
	case group.answer == nil:
		group.answer = r.ask(ctx, name)
		group.answer.group = group
	case group.answer.failed():
		return nil
	}
	group.answer.waiting++
	return group.answer
}

// ask begins a bulk request for a group. The request continues when the read that
// began it ends, since others wait for the same response.
func (r *bulkReads[W]) ask(ctx context.Context, group string) *bulkAnswer[W] {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	answer := &bulkAnswer[W]{done: make(chan struct{}), writes: r.clients.Writes(), cancel: cancel}
	go func() {
		defer cancel()
		list, err := r.object.BulkRead.Find(ctx, r.clients, group)
		answer.found, answer.err, answer.until = make(map[string]*W, len(list)), err, time.Now().Add(answerKept)
		if err == nil {
			for i := range list {
				answer.found[r.object.BulkRead.ID(group, &list[i]).String()] = &list[i]
			}
		}
		close(answer.done)
	}()
	return answer
}

// leave is called for a read that ends before the response.
func (r *bulkReads[W]) leave(answer *bulkAnswer[W]) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if answer.waiting--; answer.waiting == 0 && !answer.isDone() {
		answer.cancel()
		answer.group.answer = nil
	}
}

// isDone reports whether the request has ended.
func (a *bulkAnswer[W]) isDone() bool {
	select {
	case <-a.done:
		return true
	default:
		return false
	}
}

// failed reports whether the request failed.
func (a *bulkAnswer[W]) failed() bool { return a.isDone() && a.err != nil }

// old reports whether a response must not be used any more: it is from before a
// write of this plan or apply, or too old.
func (a *bulkAnswer[W]) old(writes int64) bool {
	return a != nil && (a.writes != writes || a.isDone() && time.Now().After(a.until))
}
