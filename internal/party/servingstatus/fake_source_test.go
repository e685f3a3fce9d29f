package servingstatus

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// fakeSource is a Kuscia in the time of the test.
type fakeSource struct {
	// status returns the status of one id; unlisted is an id that does not
	// exist.
	status func(id string) (status *kuscia.ServingStatusDetail, listed bool)
	// fail fails a request when it returns an error.
	fail func(ids []string) error
	// takes is how long a request takes.
	takes time.Duration

	mu       sync.Mutex
	requests []request
	underWay int
	most     int
}

type request struct {
	at  time.Time
	ids []string
}

func (s *fakeSource) BatchQueryServingStatus(ctx context.Context, ids []string) ([]kuscia.ServingStatus, error) {
	s.mu.Lock()
	s.requests = append(s.requests, request{time.Now(), slices.Clone(ids)})
	s.underWay++
	s.most = max(s.most, s.underWay)
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.underWay--
		s.mu.Unlock()
	}()
	if s.takes > 0 {
		select {
		case <-time.After(s.takes):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if s.fail != nil {
		if err := s.fail(ids); err != nil {
			return nil, err
		}
	}
	var out []kuscia.ServingStatus
	for _, id := range ids {
		if status, listed := s.status(id); listed {
			out = append(out, kuscia.ServingStatus{ServingID: id, Status: status})
		}
	}
	return out, nil
}

func (s *fakeSource) all() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

func (s *fakeSource) count() int { return len(s.all()) }

func always(status *kuscia.ServingStatusDetail) func(string) (*kuscia.ServingStatusDetail, bool) {
	return func(string) (*kuscia.ServingStatusDetail, bool) { return status, true }
}

var runs = detail(available, pods("alice", 2, 2, 0, 2), pods("bob", 1, 1, 0, 1))

func named(id string) Target {
	target := desired(2)
	target.ServingID = id
	return target
}

// raceDetector is set with the race detector.
var raceDetector bool

// inTime runs a test in a synctest bubble. The bubble ends only when the poller
// has no goroutine left.
func inTime(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	if raceDetector {
		t.Skip("the race detector of Go 1.26.8 crashes when a timer of such a bubble fires; make test and make test-long run this package without it")
	}
	synctest.Test(t, f)
}
