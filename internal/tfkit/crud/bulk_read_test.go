package crud

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// note is an object in a folder.
type note struct{ id, text string }

var errNoNote = errors.New("there is no such note")

// folders is a server that returns a single note, or all notes of a folder.
type folders struct {
	alone, together atomic.Int64
	version         atomic.Int64 // of every note
	missing         map[string]bool
	refuses         error
	takes           time.Duration
	canceled        atomic.Int64
}

func (f *folders) text() string { return fmt.Sprint("version ", f.version.Load()) }

func (f *folders) object() *Object[note] {
	o := &Object[note]{TypeName: "kuscia_note", Spec: Spec[note]{
		API: func(*run.Run) API[note] {
			return API[note]{Query: func(_ context.Context, id ID) (*note, error) {
				f.alone.Add(1)
				if f.missing[id.String()] {
					return nil, errNoNote
				}
				return &note{id.String(), f.text()}, nil
			}}
		},
		BulkRead: &BulkRead[note]{
			Group: func(id ID) string { return id[0] },
			Find: func(ctx context.Context, _ *run.Run, group string) ([]note, error) {
				f.together.Add(1)
				text := f.text()
				select {
				case <-ctx.Done():
					f.canceled.Add(1)
					return nil, ctx.Err()
				case <-time.After(f.takes):
				}
				var list []note
				for i := range 100 {
					if id := fmt.Sprintf("%s/%d", group, i); !f.missing[id] {
						list = append(list, note{id, text})
					}
				}
				return list, f.refuses
			},
			ID: func(_ string, found *note) ID { return strings.Split(found.id, "/") },
		},
	}}
	o.steps = declared[note]{o}
	return o
}

// readAll reads the given number of notes of a folder, ten at a time as Terraform does.
func readAll(t *testing.T, o *Object[note], c *run.Run, notes int) {
	t.Helper()
	var all sync.WaitGroup
	slots := make(chan struct{}, 10)
	for n := range notes {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			id := ID{"folder0", fmt.Sprint(n)}
			if found, err := o.read(t.Context(), c, id, definition.Value{}); err != nil || found.id != id.String() {
				t.Errorf("%s reads as %v: %v", id, found, err)
			}
		})
	}
	all.Wait()
}

func (f *folders) asked(t *testing.T, alone, together int64) {
	t.Helper()
	if f.alone.Load() != alone || f.together.Load() != together {
		t.Errorf("%d single requests and %d bulk requests, want %d and %d", f.alone.Load(), f.together.Load(), alone, together)
	}
}

// TestBulkReadFallsBack: objects that a bulk response lacks are read with
// Query, and a failed bulk request is not repeated for each object.
func TestBulkReadFallsBack(t *testing.T) {
	t.Parallel()
	f := &folders{refuses: errors.New("one of them cannot be shown")}
	readAll(t, f.object(), &run.Run{}, 100)
	f.asked(t, 100, 1)

	f = &folders{missing: map[string]bool{"folder0/50": true}}
	o, c := f.object(), &run.Run{}
	readAll(t, o, c, 50)
	if _, err := o.read(t.Context(), c, ID{"folder0", "50"}, definition.Value{}); !errors.Is(err, errNoNote) {
		t.Errorf("a note that does not exist: %v", err)
	}
	f.asked(t, 4, 1)
}

// TestBulkReadIsNew: a response serves one read of an object, for a minute, and
// until the next write, also one during the request.
func TestBulkReadIsNew(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		reads int
		after func(f *folders, c *run.Run)
		next  int
	}{
		"the same object":   {50, func(*folders, *run.Run) {}, 0},
		"after a write":     {50, func(_ *folders, c *run.Run) { c.CountWrite() }, 60},
		"after two minutes": {50, func(*folders, *run.Run) { time.Sleep(2 * time.Minute) }, 60},
		"during a write": {singleReads, func(f *folders, c *run.Run) {
			time.AfterFunc(f.takes/2, func() { f.version.Add(1); c.CountWrite() })
		}, 60},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &folders{takes: time.Second}
				o, c := f.object(), &run.Run{}
				readAll(t, o, c, test.reads)
				f.version.Add(1)
				test.after(f, c)
				if found, err := o.read(t.Context(), c, ID{"folder0", fmt.Sprint(test.next)}, definition.Value{}); err != nil || found.text != f.text() {
					t.Errorf("reads %v, want %s: %v", found, f.text(), err)
				}
			})
		})
	}
}

// TestBulkReadEnds: a read whose context ends returns immediately, the others
// get the response, and a request without waiting reads is canceled and can be
// repeated.
func TestBulkReadEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &folders{takes: time.Minute}
		o, c := f.object(), &run.Run{}
		readAll(t, o, c, singleReads)
		impatient := func(id string) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			began := time.Now()
			if _, err := o.read(ctx, c, ID{"folder0", id}, definition.Value{}); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Second {
				t.Errorf("after %s: %v", time.Since(began), err)
			}
		}
		impatient("10")
		synctest.Wait()
		if f.canceled.Load() != 1 {
			t.Error("a request without waiting reads was not canceled")
		}
		var patient sync.WaitGroup
		patient.Go(func() {
			if found, err := o.read(t.Context(), c, ID{"folder0", "11"}, definition.Value{}); err != nil || found.id != "folder0/11" {
				t.Errorf("the read without a deadline returns %v: %v", found, err)
			}
		})
		synctest.Wait()
		impatient("12")
		patient.Wait()
		f.asked(t, singleReads, 2)
	})
}
