package servingstatus

import (
	"errors"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// failedWith is the state Failed with a message.
func failedWith(message string) *kuscia.ServingStatusDetail {
	status := detail(failed)
	status.Reason, status.Message = "BuildPartyKitInfoFailed", message
	return status
}

// TestPassingFailed: a wait for a new serving continues if Kuscia reports Failed
// briefly, and fails if the failure is the same for a second.
func TestPassingFailed(t *testing.T) {
	for name, test := range map[string]struct {
		steps []step
		fails bool
		after time.Duration
	}{
		"briefly":             {[]step{{900 * time.Millisecond, failedWith("no app image")}, {0, runs}}, false, 900 * time.Millisecond},
		"repeatedly":          {[]step{{900 * time.Millisecond, failedWith("no app image")}, {1200 * time.Millisecond, nil}, {2 * time.Second, failedWith("no app image")}, {0, runs}}, false, 2 * time.Second},
		"with another reason": {[]step{{900 * time.Millisecond, failedWith("no domain")}, {0, failedWith("no app image")}}, true, 1900 * time.Millisecond},
		"permanently":         {[]step{{0, failedWith("no app image")}}, true, time.Second},
		"later":               {[]step{{2 * time.Minute, detail(progress)}, {0, failedWith("no app image")}}, true, 2*time.Minute + time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			inTime(t, func(t *testing.T) {
				began := time.Now()
				_, err := NewPoller(&fakeSource{status: play(began, test.steps...)}).WaitRunning(t.Context(), named("glm"))
				var e *NotRunningError
				if hasFailed := errors.As(err, &e) && e.Cause == CauseFailed; hasFailed != test.fails || err != nil != test.fails {
					t.Errorf("%v", err)
				}
				if took := time.Since(began); took < test.after || took > test.after+8*time.Second {
					t.Errorf("after %s, want %s", took, test.after)
				}
			})
		})
	}
}

// TestPassingGivenUp: the same for a failure that only the cluster shows.
func TestPassingGivenUp(t *testing.T) {
	inTime(t, func(t *testing.T) {
		began := time.Now()
		target := named("glm")
		target.Observer = observerFunc(func() (Observation, error) {
			if time.Since(began) < 900*time.Millisecond {
				return Observation{GivenUp: "no app image"}, nil
			}
			return sees(true, true), nil
		})
		if _, err := NewPoller(&fakeSource{status: play(began, step{time.Second, nil}, step{0, runs})}).WaitRunning(t.Context(), target); err != nil {
			t.Error(err)
		}
	})
}
