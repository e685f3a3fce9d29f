package servingstatus

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

func TestCancel(t *testing.T) {
	inTime(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(10*time.Second, cancel)
		source := &fakeSource{status: always(detail(progress, pods("alice", 2, 1, 1, 2)))}
		_, err := NewPoller(source).WaitRunning(ctx, named("glm"))
		var e *NotRunningError
		if !errors.As(err, &e) || e.Cause != CauseCancelled || !errors.Is(err, context.Canceled) || !errors.Is(err, wait.ErrCancelled) || !strings.Contains(err.Error(), "cancelled after 10s") ||
			strings.Contains(err.Error(), "do not become available") {
			t.Errorf("%v", err)
		}
		begun, stop := context.WithCancel(t.Context())
		time.AfterFunc(10*time.Second, stop)
		if _, err := NewPoller(&fakeSource{status: always(nil)}).WaitRunning(begun, named("glm")); !errors.Is(err, wait.ErrCancelled) || strings.Contains(err.Error(), "Likely") {
			t.Errorf("without a status: %v", err)
		}
		// A wait whose context has already ended sends no query.
		asked := source.count()
		if _, err := NewPoller(source).WaitRunning(ctx, named("glm")); !errors.Is(err, context.Canceled) || source.count() != asked {
			t.Errorf("%v", err)
		}
	})
}

// A wait for a serving that is deleted ends; one for a serving that is not
// listed yet does not.
func TestGoneWhileWaiting(t *testing.T) {
	inTime(t, func(t *testing.T) {
		began := time.Now()
		source := &fakeSource{status: func(string) (*kuscia.ServingStatusDetail, bool) {
			return detail(progress, pods("alice", 2, 0, 2, 2)), time.Since(began) < 5*time.Second
		}}
		_, err := NewPoller(source).WaitRunning(t.Context(), named("glm"))
		var e *NotRunningError
		if !errors.As(err, &e) || e.Cause != CauseDeleted || !strings.Contains(err.Error(), "it was deleted") {
			t.Errorf("%v", err)
		}
		if took := time.Since(began); took > 6*time.Second {
			t.Errorf("%s", took)
		}

		began = time.Now()
		source.status = func(string) (*kuscia.ServingStatusDetail, bool) { return runs, time.Since(began) > time.Second }
		if _, err := NewPoller(source).WaitRunning(t.Context(), named("glm")); err != nil {
			t.Errorf("%v", err)
		}

		// One response without the serving is not enough.
		looks := 0
		source.status = func(string) (*kuscia.ServingStatusDetail, bool) {
			looks++
			return runs, looks < 10 || looks > 10
		}
		target := updated(named("glm"))
		target.Parties[0].Replicas = 7
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		if _, err = NewPoller(source).WaitRunning(ctx, target); !errors.As(err, &e) || e.Cause != CauseTimedOut {
			t.Errorf("%v", err)
		}
	})
}
