package servingstatus

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// withReason is a serving one of whose two pods does not start for a reason.
func withReason(reason string, available int32) *kuscia.ServingStatusDetail {
	status := detail(progress, pods("alice", 2, available, 2-available, 2), pods("bob", 1, 1, 0, 1))
	if reason != "" {
		status.Reason, status.Message = "domainID: alice, reason: "+reason, `Back-off pulling image "example/app:typo"`
	}
	return status
}

// alternating repeats two statuses, each for a time.
func alternating(began time.Time, each time.Duration, a, b *kuscia.ServingStatusDetail) func(string) (*kuscia.ServingStatusDetail, bool) {
	return func(string) (*kuscia.ServingStatusDetail, bool) {
		if time.Since(began)/each%2 == 0 {
			return a, true
		}
		return b, true
	}
}

// TestPodsThatCannotStart: a wait ends after wait.PodFailureTimeout with the reason first, if
// pods do not start for a reason that rarely heals; not while it may heal, and not because
// of pods from before an update.
func TestPodsThatCannotStart(t *testing.T) {
	const deadline = 10 * time.Minute
	pulling := withReason("ImagePullBackOff", 0)
	for name, test := range map[string]struct {
		source func(began time.Time) func(string) (*kuscia.ServingStatusDetail, bool)
		target Target
		cause  Cause // "" for a serving that runs
		after  time.Duration
	}{
		"image": {source: func(time.Time) func(string) (*kuscia.ServingStatusDetail, bool) { return always(pulling) }, cause: CausePodsFail, after: wait.PodFailureTimeout},
		"two reasons": {source: func(b time.Time) func(string) (*kuscia.ServingStatusDetail, bool) {
			return alternating(b, 10*time.Second, withReason("ErrImagePull", 0), pulling)
		}, cause: CausePodsFail, after: wait.PodFailureTimeout},
		"crashes": {source: func(b time.Time) func(string) (*kuscia.ServingStatusDetail, bool) {
			return alternating(b, 40*time.Second, withReason("CrashLoopBackOff", 0), withReason("", 1))
		}, cause: CausePodsFail, after: wait.PodFailureTimeout + 80*time.Second},
		"crashes rarely": {source: func(b time.Time) func(string) (*kuscia.ServingStatusDetail, bool) {
			return alternating(b, 90*time.Second, withReason("CrashLoopBackOff", 0), withReason("", 1))
		}, cause: CauseNoProgress, after: deadline + 90*time.Second},
		"no node": {source: func(time.Time) func(string) (*kuscia.ServingStatusDetail, bool) {
			return always(withReason("Unschedulable", 0))
		}, cause: CauseNoProgress, after: deadline},
		"no reason": {source: func(time.Time) func(string) (*kuscia.ServingStatusDetail, bool) { return always(withReason("", 0)) }, cause: CauseNoProgress, after: deadline},
		"heals": {source: func(b time.Time) func(string) (*kuscia.ServingStatusDetail, bool) {
			return play(b, step{170 * time.Second, pulling}, step{400 * time.Second, withReason("", 0)}, step{0, runs})
		}, after: 400 * time.Second},
		"makes progress": {source: func(b time.Time) func(string) (*kuscia.ServingStatusDetail, bool) {
			return play(b, step{170 * time.Second, pulling}, step{340 * time.Second, withReason("ImagePullBackOff", 1)}, step{0, runs})
		}, after: 340 * time.Second},
		"pods from before an update": {source: func(b time.Time) func(string) (*kuscia.ServingStatusDetail, bool) {
			return play(b, step{400 * time.Second, pulling}, step{0, runs})
		}, target: since(rolling(RollingReplacement, named("glm")), pulling), after: 400 * time.Second},
		"after an update": {source: func(b time.Time) func(string) (*kuscia.ServingStatusDetail, bool) {
			return play(b, step{10 * time.Second, runs}, step{0, pulling})
		}, target: since(rolling(RecreateAll, named("glm")), runs), cause: CausePodsFail, after: wait.PodFailureTimeout + 10*time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			inTime(t, func(t *testing.T) {
				began := time.Now()
				target := test.target
				if target.ServingID == "" {
					target = named("glm")
				}
				target.ProgressDeadline = deadline
				_, err := NewPoller(&fakeSource{status: test.source(began)}).WaitRunning(t.Context(), target)
				var e *NotRunningError
				if took := time.Since(began); took < test.after-time.Second || took > test.after+5*time.Second {
					t.Errorf("after %s, want %s", took, test.after)
				}
				switch {
				case test.cause == "" && err != nil, test.cause != "" && (!errors.As(err, &e) || e.Cause != test.cause):
					t.Fatalf("%v, want cause %q", err, test.cause)
				case test.cause == CausePodsFail && !strings.HasPrefix(err.Error(), "pods do not start: "+e.Last.Reason):
					t.Errorf("the reason is not first: %s", err)
				}
			})
		})
	}
}

// TestPodsFailInCluster: the same for what only the cluster shows.
func TestPodsFailInCluster(t *testing.T) {
	inTime(t, func(t *testing.T) {
		target := since(updated(named("glm")), runs)
		target.Observer = observerFunc(func() (Observation, error) { return Observation{PodsFail: "pod alice/glm: ErrImagePull"}, nil })
		_, err := NewPoller(&fakeSource{status: always(runs)}).WaitRunning(t.Context(), target)
		var e *NotRunningError
		if !errors.As(err, &e) || e.Cause != CausePodsFail || !strings.HasPrefix(err.Error(), "pods do not start: pod alice/glm: ErrImagePull") {
			t.Error(err)
		}
	})
}
