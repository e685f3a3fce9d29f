package crud

import (
	"context"
	"sync"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
)

// BulkRead is a call that answers for many objects at once, exactly what Query
// answers for each of them. A refresh uses it when it asks for several objects
// of a group; whatever it does not answer is asked for alone.
type BulkRead[W any] struct {
	// Group is what one call answers for, such as the domain of an object.
	Group func(id ID) string
	// Find returns all objects of a group.
	Find func(ctx context.Context, c *clients.Clients, group string) ([]W, error)
	// ID is the identity of an object that was found.
	ID func(group string, found *W) ID
}

// BulkRead makes the reads of a refresh out of the listing of a domain, of which
// the id is the first part of the identity and the only filter that is needed.
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
	// readAlone is how many objects of a group are asked for alone before all of
	// them are asked for together: a group can be much larger than what the
	// configuration has of it.
	readAlone = 3
	// answerKept is how long an answer for many is good for objects that were
	// not read yet. All reads of a refresh are about the moment at which it
	// began; this bounds how far they can be apart.
	answerKept = time.Minute
)

// bulkReads are the reads of one kind of object with the clients of one run.
type bulkReads[W any] struct {
	object  *Object[W]
	clients *clients.Clients

	mu     sync.Mutex
	groups map[string]*readGroup[W]
}

// readGroup is what was read of a group since its answers were last new.
type readGroup[W any] struct {
	// read are the objects that were asked for. One that is asked for again
	// wants to know something newer.
	read map[string]bool
	// answer is the answer for all, nil as long as nobody asked.
	answer *bulkAnswer[W]
}

// bulkAnswer is one call for many objects. found and err are there once done is
// closed.
type bulkAnswer[W any] struct {
	done   chan struct{}
	found  map[string]*W
	err    error
	until  time.Time
	writes int64

	// waiting counts who waits for it; without anybody it is cancelled, and the
	// group has no answer.
	waiting int
	cancel  context.CancelFunc
	group   *readGroup[W]
}

// read asks for an object to refresh it, and notes that it is there. The answer
// is shared: do not change it.
func (o *Object[W]) read(ctx context.Context, c *clients.Clients, id ID) (*W, error) {
	found, err := o.readTogether(ctx, c, id)
	if err == nil {
		o.noteSeen(c, id)
	}
	return found, err
}

// readTogether asks for an object together with others of its group.
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

// join returns the answer that has the object, of a call that it begins if need
// be. It is nil for an object that has to be asked for alone.
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

// ask begins a call for a group. It outlives the read that began it, since
// others wait for the same answer.
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

// leave is for a read that ended before its answer came.
func (r *bulkReads[W]) leave(answer *bulkAnswer[W]) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if answer.waiting--; answer.waiting == 0 && !answer.isDone() {
		answer.cancel()
		answer.group.answer = nil
	}
}

// isDone reports whether the answer is there.
func (a *bulkAnswer[W]) isDone() bool {
	select {
	case <-a.done:
		return true
	default:
		return false
	}
}

// failed reports whether the call failed.
func (a *bulkAnswer[W]) failed() bool { return a.isDone() && a.err != nil }

// old reports whether an answer must not be used any more: it is from before a
// write of this run, or too long ago.
func (a *bulkAnswer[W]) old(writes int64) bool {
	return a != nil && (a.writes != writes || a.isDone() && time.Now().After(a.until))
}
