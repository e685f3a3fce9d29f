package wait

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
)

// Pace is the time between two polls, which grows from First to Longest.
type Pace struct{ First, Longest time.Duration }

// refusals is how many refused polls in a row end a wait: a single one may come from
// a gateway that is being reconfigured.
const refusals = 5

// Poll calls poll until that reports done or the context ends. An error ends it only
// after as many in a row as refusals says.
func Poll(ctx context.Context, pace Pace, poll func(context.Context) (done bool, err error)) error {
	pause, refused := pace.First, 0
	var last error
	for {
		done, err := poll(ctx)
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
		if !sleep(ctx, pause) {
			return errors.Join(ended(ctx), last)
		}
		pause = min(pause*3/2, pace.Longest)
	}
}

// sleep waits and reports false when the context ended first.
func sleep(ctx context.Context, d time.Duration) bool {
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
