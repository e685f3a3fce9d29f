package servingstatus

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

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
