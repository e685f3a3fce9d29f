package kube

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
)

// TestRetry: an attempt is repeated while the object changes, at once after the
// first time and then after longer and longer pauses, up to a limit or the end
// of the context.
func TestRetry(t *testing.T) {
	t.Parallel()
	changed := errors.New("changed")
	for name, test := range map[string]struct {
		conflicts, made int
		limit           time.Duration
		takes           time.Duration
		err             error
	}{
		"made at once":     {0, 1, time.Hour, 0, nil},
		"one conflict":     {1, 2, time.Hour, 0, nil},
		"three conflicts":  {3, 4, time.Hour, 150 * time.Millisecond, nil},
		"always conflicts": {100, 10, time.Hour, 1800 * time.Millisecond, changed},
		"no time left":     {100, 3, 120 * time.Millisecond, 120 * time.Millisecond, changed},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), test.limit)
			defer cancel()
			began, made := time.Now(), 0
			err := Retry(ctx, func(number int) (again bool, err error) {
				if made++; number != made {
					t.Errorf("%s: attempt %d has the number %d", name, made, number)
				}
				if number <= test.conflicts {
					return true, changed
				}
				return false, nil
			})
			if !errors.Is(err, test.err) || made != test.made || time.Since(began) != test.takes {
				t.Errorf("%s: %d attempts in %s end with %v", name, made, time.Since(began), err)
			}
		})
	}
	lost := &apierror.Error{OutcomeUnknown: true}
	err := Retry(t.Context(), func(number int) (bool, error) {
		if number == 1 {
			return true, lost
		}
		return false, apierror.ErrUnavailable
	})
	if !apierror.OutcomeUnknown(err) || !errors.Is(err, apierror.ErrUnavailable) {
		t.Errorf("a lost write and a failed read end with %v", err)
	}
}
