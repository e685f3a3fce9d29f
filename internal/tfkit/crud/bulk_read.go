package crud

import (
	"context"
	"sync"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/fastpath"
)

// refreshed reads an object for a refresh, or returns the response that a
// shortcut has already fetched. Whether an object is ready is not known from a list.
func (o *Object[W]) refreshed(ctx context.Context, c *run.Run, id ID, state definition.Value, flags Flags) (*W, error) {
	if flags.NotReady {
		found, err := o.steps.API(c, state).Query(ctx, id)
		if err == nil {
			o.recordExisting(c, id)
		}
		return found, err
	}
	if found, ok := fastpath.PrefetchedOf[*W](ctx, o.prefetchedKey(id)); ok {
		return found.Response, found.Err
	}
	return o.read(ctx, c, id, state)
}

// read reads an object for a refresh and records that it exists. The returned
// value is shared and must not be changed.
func (o *Object[W]) read(ctx context.Context, c *run.Run, id ID, state definition.Value) (*W, error) {
	found, err := o.readTogether(ctx, c, id, state)
	if err == nil {
		o.recordExisting(c, id)
	}
	return found, err
}

// readTogether reads an object, with a bulk request if possible.
func (o *Object[W]) readTogether(ctx context.Context, c *run.Run, id ID, state definition.Value) (*W, error) {
	if o.BulkRead == nil {
		api := o.steps.API(c, state)
		if api.Read != nil {
			return api.Read(ctx, id)
		}
		return api.Query(ctx, id)
	}
	reads := run.Value(c, run.Key[*bulkReads[W]](o.TypeName), func() *bulkReads[W] {
		return &bulkReads[W]{object: o, run: c, groups: map[string]*readGroup[W]{}}
	})
	if response := reads.join(ctx, id); response != nil {
		select {
		case <-ctx.Done():
			reads.leave(response)
			return nil, context.Cause(ctx)
		case <-response.done:
		}
		if found := response.found[id.String()]; found != nil && response.writes == c.Writes() {
			return found, nil
		}
	}
	return o.steps.API(c, state).Query(ctx, id)
}

// bulkReads are the bulk reads of one kind of object in one plan or apply.
type bulkReads[W any] struct {
	object *Object[W]
	run    *run.Run

	mu     sync.Mutex
	groups map[string]*readGroup[W]
}

// readGroup tracks the objects of a group that were read since its last bulk
// response.
type readGroup[W any] struct {
	// read are the objects that were read. A second read of one needs a newer
	// response.
	read map[string]bool
	// response is the bulk response, nil before the request.
	response *bulkResult[W]
}

// bulkResult is one bulk request. found and err are valid once done is closed.
type bulkResult[W any] struct {
	done   chan struct{}
	found  map[string]*W
	err    error
	until  time.Time
	writes int64

	// waiting counts the reads that wait for the response. At zero the request
	// is canceled and removed from the group.
	waiting int
	cancel  context.CancelFunc
	group   *readGroup[W]
}

const (
	// singleReads is the number of objects of a group that are read with Query
	// before the whole group is read in one request. A group can be much larger
	// than the part of it in the configuration.
	singleReads = 3
	// responseTTL is how long a bulk response is used for objects that were not
	// read yet. It limits the age of the data in a refresh.
	responseTTL = time.Minute
)

// join returns the bulk request for an object and starts it if necessary. It
// returns nil if the object has to be read with Query.
func (r *bulkReads[W]) join(ctx context.Context, id ID) *bulkResult[W] {
	r.mu.Lock()
	defer r.mu.Unlock()
	groupName := r.object.BulkRead.Group(id)
	group := r.groups[groupName]
	if group == nil || group.read[id.String()] || group.response.isStale(r.run.Writes()) {
		group = &readGroup[W]{read: map[string]bool{}}
		r.groups[groupName] = group
	}
	group.read[id.String()] = true
	switch {
	case group.response == nil && len(group.read) <= singleReads:
		return nil
	case group.response == nil:
		group.response = r.query(ctx, groupName)
		group.response.group = group
	case group.response.failed():
		return nil
	}
	group.response.waiting++
	return group.response
}

// query starts a bulk request for a group. The request is not canceled with the
// read that started it, since other reads wait for it.
func (r *bulkReads[W]) query(ctx context.Context, group string) *bulkResult[W] {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	response := &bulkResult[W]{done: make(chan struct{}), writes: r.run.Writes(), cancel: cancel}
	go func() {
		defer cancel()
		list, err := r.object.BulkRead.Find(ctx, r.run, group)
		response.found, response.err, response.until = make(map[string]*W, len(list)), err, time.Now().Add(responseTTL)
		if err == nil {
			for i := range list {
				response.found[r.object.BulkRead.ID(group, &list[i]).String()] = &list[i]
			}
		}
		close(response.done)
	}()
	return response
}

// leave is called when a read is canceled before the response.
func (r *bulkReads[W]) leave(response *bulkResult[W]) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if response.waiting--; response.waiting == 0 && !response.isDone() {
		response.cancel()
		response.group.response = nil
	}
}

// isDone reports whether the request has ended.
func (a *bulkResult[W]) isDone() bool {
	select {
	case <-a.done:
		return true
	default:
		return false
	}
}

// failed reports whether the request failed.
func (a *bulkResult[W]) failed() bool { return a.isDone() && a.err != nil }

// isStale reports whether a response must not be used any more: the run has written
// something since, or it is older than responseTTL.
func (a *bulkResult[W]) isStale(writes int64) bool {
	return a != nil && (a.writes != writes || a.isDone() && time.Now().After(a.until))
}
