package wait

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Interval is the time between two polls, which grows from First to Longest.
type Interval struct{ First, Longest time.Duration }

// Poll calls poll until it reports done or the context ends. An error ends it
// only if it is a refusal that lasts for refusedFor. Its own error contains the last one
// of poll.
func Poll(ctx context.Context, pace Interval, poll func(context.Context) (done bool, err error)) error {
	var refused Refusal
	var failure error
	for pause := pace.First; ; pause = min(pause*3/2, pace.Longest) {
		at := time.Now()
		done, err := poll(ctx)
		if done {
			return nil
		}
		if refused.Record(at, err) && ctx.Err() == nil {
			return err
		}
		if ctx.Err() == nil || failure == nil && !errors.Is(err, ctx.Err()) { // that the context has ended is said anyway
			failure = err
		}
		if !Sleep(ctx, pause) {
			return errors.Join(Ended(ctx), failure)
		}
	}
}

// Sleep waits, and returns false if the context ended first.
func Sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err() == nil // both may have happened
	case <-ctx.Done():
		return false
	}
}

// Ended describes why a context ended.
func Ended(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return errors.New("the timeout has passed")
	}
	return fmt.Errorf("%w: %w", ErrCanceled, ctx.Err())
}

// ErrCanceled is in the error of every wait that ended because its context was canceled,
// as by Ctrl-C. It says nothing about the object.
var ErrCanceled = errors.New("the wait was canceled")
