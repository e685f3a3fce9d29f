package wait

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
)

// Pace is the time between two looks, which grows with the age of a wait.
type Pace struct{ First, Longest time.Duration }

// refusals is how many refusals of a look in a row end a wait: one alone may
// come of a gateway that is being changed.
const refusals = 5

// Poll looks until it is done or the context ends. A refusal ends it only when it
// lasts.
func Poll(ctx context.Context, pace Pace, look func(context.Context) (done bool, err error)) error {
	pause, refused := pace.First, 0
	var last error
	for {
		done, err := look(ctx)
		switch {
		case done:
			return nil
		case err == nil:
			refused, last = 0, nil
		default:
			last = err
			refused++
			if refused >= refusals && !errors.Is(err, apierror.ErrUnavailable) && ctx.Err() == nil {
				return err
			}
		}
		if !rest(ctx, pause) {
			return errors.Join(ended(ctx), last)
		}
		pause = min(pause*3/2, pace.Longest)
	}
}

// rest waits and reports false when the context ended first.
func rest(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// ended says why a context ended.
func ended(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return errors.New("the time limit in timeouts has passed")
	}
	return fmt.Errorf("the wait was interrupted: %w", ctx.Err())
}
