package wait

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
)

// TestPoll: temporary errors end no wait; a refusal that lasts does, and with
// all other errors only the time limit does.
func TestPoll(t *testing.T) {
	refused, away := apierror.ErrUnauthorized, apierror.ErrUnavailable
	for name, test := range map[string]struct {
		// fails are the errors of the polls in turn until the wait is old
		// enough.
		fails  []error
		until  time.Duration
		want   error
		after  time.Duration
		within time.Duration
	}{
		"done":                             {within: time.Second},
		"refused for a while":              {fails: []error{refused}, until: 25 * time.Second, after: 25 * time.Second, within: 31 * time.Second},
		"refused":                          {fails: []error{refused}, until: time.Hour, want: refused, after: 30 * time.Second, within: 36 * time.Second},
		"refused with another message":     {fails: []error{refused, fmt.Errorf("again: %w", refused)}, until: time.Hour, want: refused, after: 30 * time.Second, within: 36 * time.Second},
		"unavailable between refusals":     {fails: []error{refused, refused, refused, away}, until: time.Minute, after: time.Minute, within: 66 * time.Second},
		"unavailable":                      {fails: []error{away}, until: time.Minute, after: time.Minute, within: 66 * time.Second},
		"unexpected response":              {fails: []error{apierror.ErrUnexpectedResponse}, until: time.Minute, after: time.Minute, within: 66 * time.Second},
		"unavailable until the time limit": {fails: []error{away}, until: time.Hour, want: away, after: 10 * time.Minute, within: 10*time.Minute + time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began, asked := time.Now(), 0
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
				defer cancel()
				err := Poll(ctx, Interval{First: 100 * time.Millisecond, Longest: 5 * time.Second}, func(context.Context) (bool, error) {
					if time.Since(began) >= test.until {
						return true, nil
					}
					asked++
					return false, test.fails[(asked-1)%len(test.fails)]
				})
				if took := time.Since(began); took < test.after || took > test.within {
					t.Errorf("after %s", took)
				}
				if !errors.Is(err, test.want) {
					t.Errorf("%v", err)
				}
			})
		})
	}
}

// TestPollEnded: the error describes why the wait ended and the last error.
func TestPollEnded(t *testing.T) {
	for want, ended := range map[string]func(context.Context) (context.Context, context.CancelFunc){
		"the timeout has passed": func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, time.Minute)
		},
		"the wait was canceled": func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ctx)
			time.AfterFunc(time.Minute, cancel)
			return ctx, cancel
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := ended(t.Context())
			defer cancel()
			calls := 0
			err := Poll(ctx, Interval{First: time.Second, Longest: time.Second}, func(ctx context.Context) (bool, error) {
				if calls++; calls == 10 { // a request that takes longer than the context
					<-ctx.Done()
					return false, ctx.Err()
				}
				return false, []error{apierror.ErrUnexpectedResponse, apierror.ErrUnavailable}[min(calls-1, 1)] // the last one counts
			})
			if err == nil || !strings.Contains(err.Error(), want) || !errors.Is(err, apierror.ErrUnavailable) {
				t.Errorf("got error %v, want %q", err, want)
			}
			err = Poll(ctx, Interval{}, func(ctx context.Context) (bool, error) { return false, ctx.Err() })
			if err == nil || err.Error() != Ended(ctx).Error() {
				t.Errorf("without another error: %v", err)
			}
			for range 100 { // the timer has fired too
				if Sleep(ctx, 0) {
					t.Fatal("it goes on")
				}
			}
		})
	}
}
