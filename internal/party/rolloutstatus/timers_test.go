package rolloutstatus

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
)

// TestTakenOver: a Deployment of an earlier KusciaDeployment of the same name
// counts as that of the new one only after it has run as expected for a minute:
// Kuscia takes it over without changing its labels.
func TestTakenOver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := released()
		deployment := m.objects["Deployment alice/kd"]
		delete(at(deployment, "metadata"), "annotations")
		at(deployment, "metadata", "labels")[kube.LabelKDUID] = "another"
		status := at(deployment, "status")
		reader := New(m, "kd")
		for _, step := range []struct {
			after   time.Duration
			updated int64
			done    bool
		}{{0, 2, false}, {takeOverDelay - time.Second, 2, false}, {0, 1, false}, {time.Second, 2, false}, {takeOverDelay - time.Second, 2, false}, {time.Second, 2, true}, {time.Minute, 2, true}, {0, 1, false}} {
			time.Sleep(step.after)
			status["updatedReplicas"] = step.updated
			seen, err := reader.Read(t.Context())
			if err != nil || seen.Done != step.done || !step.done && !strings.Contains(seen.Text(), "another KusciaDeployment") {
				t.Errorf("after %s with %d updated pods: done %t: %s, %v", step.after, step.updated, seen.Done, seen.Text(), err)
			}
		}
	})
}

// TestStaleDeadline: a progress deadline that was exceeded before the first read
// is no failure until it has lasted for staleDeadlineTimeout without a change of a
// replica count; one that is exceeded later is.
func TestStaleDeadline(t *testing.T) {
	t.Parallel()
	const before, later = "2026-11-21T00:09:27Z", "2026-11-21T00:19:27Z"
	exceeded := func(when string) []any {
		return []any{object{"type": "Progressing", "status": "False", "reason": "ProgressDeadlineExceeded", "message": "too long", "lastUpdateTime": when}}
	}
	for name, test := range map[string]struct {
		first object
		next  func(status object)
		after time.Duration
		fails bool
	}{
		"for staleDeadline":                {first: object{"conditions": exceeded(before)}, after: staleDeadlineTimeout, fails: true},
		"exceeded later":                   {first: object{}, next: func(s object) { s["conditions"] = exceeded(later) }, fails: true},
		"counts changed":                   {first: object{"conditions": exceeded(before), "updatedReplicas": int64(0)}, next: func(s object) { time.Sleep(staleDeadlineTimeout); s["updatedReplicas"] = int64(1) }},
		"generation not observed at first": {first: object{"conditions": exceeded(before), "observedGeneration": int64(3)}, next: func(s object) { s["observedGeneration"] = int64(4) }},
		"shorter than staleDeadline":       {first: object{"conditions": exceeded(before)}, after: staleDeadlineTimeout - time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := released()
				delete(at(m.objects["Deployment alice/kd"], "metadata"), "annotations")
				status := at(m.objects["Deployment alice/kd"], "status")
				for field, value := range test.first {
					status[field] = value
				}
				reader := New(m, "kd")
				read := func() Party {
					seen, err := reader.Read(t.Context())
					if err != nil {
						t.Fatal(err)
					}
					return seen.Parties[0]
				}
				if p := read(); p.Failed != "" {
					t.Errorf("failed at the first read: %s", p.Failed)
				}
				if test.next != nil {
					time.Sleep(time.Second)
					test.next(status)
				} else {
					time.Sleep(test.after)
				}
				p := read()
				if (p.Failed != "") != test.fails || p.Workload.DeadlineExceeded != test.fails || p.Failed == "" && p.DeadlineExceededAt != "" && !strings.Contains(p.Text, "too long") {
					t.Errorf("failed %q: %s", p.Failed, p.Text)
				}
			})
		})
	}
}

// TestPausedByOthers: a Deployment that is paused without a Rollout stops the rollout after
// pausedTimeout, in which it may be resumed; one that a Rollout releases does not.
func TestPausedByOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := released()
		deployment := m.objects["Deployment alice/kd"]
		annotations := at(deployment, "metadata")["annotations"]
		reader := New(m, "kd")
		for i, step := range []struct {
			after                 time.Duration
			held, paused, stopped bool
		}{
			{held: true, paused: true},
			{after: pausedTimeout, held: true, paused: true},
			{paused: true},
			{after: pausedTimeout - time.Second, paused: true},
			{after: time.Second, paused: true, stopped: true},
			{},
			{paused: true},
			{after: pausedTimeout, paused: true, stopped: true},
		} {
			time.Sleep(step.after)
			delete(at(deployment, "metadata"), "annotations")
			if step.held {
				at(deployment, "metadata")["annotations"] = annotations
			}
			at(deployment, "spec")["paused"] = step.paused
			seen, err := reader.Read(t.Context())
			if err != nil || seen.Done || (seen.PausedByOthers != "") != step.stopped {
				t.Errorf("step %d: stopped %q, done %t, %v", i, seen.PausedByOthers, seen.Done, err)
			}
			if step.stopped && !strings.Contains(seen.PausedByOthers, `"kubectl rollout resume deployment/kd -n alice"`) {
				t.Errorf("step %d: %s", i, seen.PausedByOthers)
			}
		}
	})
}

// TestStuckAtOnce: a release that waits for the BatchRelease of another version holds its
// Deployment only after some time: a rollback in batches does so for a moment.
func TestStuckAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := released()
		status := at(m.objects["Rollout alice/gradual"], "status", "canaryStatus")
		status["currentStepState"], status["canaryRevision"] = "StepUpgrade", "new"
		status["message"] = "BatchRelease is at state Ready, rollout-id old, step 1"
		w := New(m, "kd")
		for _, test := range []struct {
			after time.Duration
			held  string
		}{{0, ""}, {14 * time.Second, ""}, {time.Second, "and create the Rollout again."}} {
			time.Sleep(test.after)
			if seen, err := w.Read(t.Context()); err != nil || seen.Done || !strings.Contains(seen.Paused, test.held) || (test.held == "") != (seen.Paused == "") {
				t.Errorf("after %s: held is %q, %v", test.after, seen.Paused, err)
			}
		}
	})
}
