package servingstatus

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// NotDeletedError reports that a deleted serving is still listed, or that this
// could not be determined.
type NotDeletedError struct {
	// ServingID is the id of the serving.
	ServingID string
	// Waited is how long the wait took.
	Waited time.Duration
	// Listed is set if the serving was listed after its deletion.
	Listed bool
	// StatusErr is the error of the last status query; nil if it succeeded.
	StatusErr error
	// Err is the error of the context or of the server.
	Err error
}

// Error describes the last known state.
func (e *NotDeletedError) Error() string {
	switch {
	case e.StatusErr != nil:
		return fmt.Sprintf("whether serving %q is deleted is still unknown after %s: %v", e.ServingID, round(e.Waited), e.StatusErr)
	case errors.Is(e.Err, context.Canceled):
		return fmt.Sprintf("the wait for the deletion of serving %q was canceled after %s", e.ServingID, round(e.Waited))
	case !e.Listed:
		return fmt.Sprintf("no time was left to check whether serving %q is deleted; the delete was sent %s ago", e.ServingID, round(e.Waited))
	}
	return fmt.Sprintf("serving %q is still listed %s after it was deleted; another client may have created it again", e.ServingID, round(e.Waited))
}

// LastError is the error of the last status query; nil if it succeeded.
func (e *NotDeletedError) LastError() error { return e.StatusErr }

// Unwrap returns the context's or the server's error.
func (e *NotDeletedError) Unwrap() error { return e.Err }

// WaitDeleted waits until the serving is no longer listed. Otherwise the error is a
// *NotDeletedError.
func (p *Poller) WaitDeleted(ctx context.Context, servingID string) error {
	source := p.subscribe(ctx, servingID, nil)
	defer source.end()
	log := newProgressLog(ctx, servingID, "waiting for its deletion", p.heartbeat, nil)
	defer log.due.Stop()
	e := &NotDeletedError{ServingID: servingID}
	pause := p.gone
	err := wait.Poll(ctx, wait.Interval{}, func(ctx context.Context) (deleted bool, err error) {
		source.ask(pause, false)
		for {
			select {
			case result := <-source.results:
				text := "still listed"
				if e.StatusErr = result.err; result.err != nil {
					text = "the status could not be queried: " + result.err.Error()
				}
				e.Listed = e.Listed || result.listed
				log.line(text, result.status)
				pause = p.pause(time.Since(log.began), result.err)
				return result.err == nil && !result.listed, result.err
			case <-log.due.C:
				log.heartbeat("", log.began, nil)
			case <-ctx.Done():
				return false, ctx.Err()
			}
		}
	})
	if err == nil {
		return nil
	}
	_, e.Err = causeOf(ctx, err)
	e.Waited = time.Since(log.began)
	return e
}
