package servingstatus

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/judge"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/podstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

const ms, second, minute = time.Millisecond, time.Second, time.Minute

// waitCase is a wait for the serving glm, in the time of the test.
type waitCase struct {
	// status are the statuses in turn.
	status []step
	// fails are the errors of the requests, sees is what the cluster shows, both by the time since
	// the start; nil for none.
	fails func(since time.Duration) error
	sees  func(since time.Duration) (Observation, error)
	// target is a new serving if it is not set.
	target Target
	limit  time.Duration
	// cause is that of the error; "" for a serving that runs, is paused, or was not seen to start.
	cause   Cause
	paused  string
	notSeen []string
	// after is when the wait ends.
	after time.Duration
	// says are parts of the error.
	says []string
}

func (c waitCase) test(t *testing.T) {
	began := time.Now()
	source := &fakeSource{status: play(began, c.status...)}
	if c.fails != nil {
		source.fail = func([]string) error { return c.fails(time.Since(began)) }
	}
	target := c.target
	if target.ServingID == "" {
		target = named("glm")
	}
	if c.sees != nil {
		target.Observer = observerFunc(func() (Observation, error) { return c.sees(time.Since(began)) })
	}
	ctx, cancel := context.WithCancel(t.Context())
	if c.limit > 0 {
		ctx, cancel = context.WithTimeout(t.Context(), c.limit)
	}
	defer cancel()
	result, err := NewPoller(source).WaitRunning(ctx, target)
	if took := time.Since(began); took < c.after-second || took > c.after+2*second+min(c.after, 6*second) {
		t.Errorf("after %s, want %s", took, c.after)
	}
	var e *NotRunningError
	if c.cause != "" && (!errors.As(err, &e) || e.Cause != c.cause) || c.cause == "" && err != nil {
		t.Fatalf("%v, want the cause %q", err, c.cause)
	}
	if c.cause == CauseOtherCluster && e.Pods.Why != "" {
		t.Errorf("pods of another cluster: %s", e.Pods.Text())
	}
	if result.Paused != c.paused || (c.paused != "") != (result.Pods.Why != "") || !slices.Equal(result.StartNotObserved, c.notSeen) {
		t.Errorf("%+v", result)
	}
	protocol.Says(t, "the error", fmt.Sprint(err), c.says...)
}

type observerFunc func() (Observation, error)

func (e observerFunc) Observe(context.Context) (Observation, error) { return e() }

func (e observerFunc) Pods(context.Context) (report podstatus.Report) {
	if seen, err := e(); err == nil && seen.proofs()["alice"] != judge.Proven {
		report = podstatus.Report{Why: "Pods do not run: ErrImagePull (alice). It cannot be pulled.", Lines: []string{"  alice: pod glm"}}
	}
	return report
}

func sees(alice, bob bool) Observation {
	return Observation{Parties: []PartyObservation{{DomainID: "alice", Done: alice}, {DomainID: "bob", Done: bob}}, Text: "what is there"}
}

// until is an observation, or an error, until a time; then everything is done.
func until(d time.Duration, first Observation, err error) func(time.Duration) (Observation, error) {
	return func(since time.Duration) (Observation, error) {
		if since < d {
			return first, err
		}
		return sees(true, true), nil
	}
}

func refusing(from, to time.Duration, err error) func(time.Duration) error {
	return func(since time.Duration) error {
		if since >= from && since < to {
			return err
		}
		return nil
	}
}

func reasoned(status *kuscia.ServingStatusDetail, reason, message string) *kuscia.ServingStatusDetail {
	status.Reason, status.Message = reason, message
	return status
}

// withReason is a serving one of whose two pods does not start for a reason.
func withReason(reason string, available int32) *kuscia.ServingStatusDetail {
	status := detail(progress, pods("alice", 2, available, 2-available, 2), pods("bob", 1, 1, 0, 1))
	if reason == "" {
		return status
	}
	return reasoned(status, "domainID: alice, reason: "+reason, `Back-off pulling image "example/app:typo"`)
}

func alternating(each time.Duration, both ...*kuscia.ServingStatusDetail) (steps []step) {
	for i := range 100 {
		steps = append(steps, step{time.Duration(i+1) * each, both[i%2]})
	}
	return steps
}

func still(status *kuscia.ServingStatusDetail) []step { return []step{{0, status}} }

func update(before *kuscia.ServingStatusDetail) Target {
	return since(rolling(judge.RollingReplacement, named("glm")), before)
}

func within(deadline time.Duration, target Target) Target {
	target.ProgressDeadline = deadline
	return target
}

// failures are servings that Kuscia reports as Failed, and requests that fail.
func failures() map[string]waitCase {
	noImage := reasoned(detail(failed), "BuildPartyKitInfoFailed", "no app image")
	cases := map[string]waitCase{
		"briefly":    {status: []step{{900 * ms, noImage}, {0, runs}}, after: 900 * ms},
		"repeatedly": {status: []step{{900 * ms, noImage}, {1200 * ms, nil}, {2 * second, noImage}, {0, runs}}, after: 2 * second},
		"with another reason": {
			status: []step{{900 * ms, reasoned(detail(failed), "BuildPartyKitInfoFailed", "no domain")}, {0, noImage}}, cause: CauseFailed, after: 1900 * ms,
		},
		"permanently": {
			status: still(reasoned(detail(failed, pods("bob", 1, 1, 0, 1)), "CreateServiceFailed", "domain alice service shared-internal already exist")), cause: CauseFailed, after: second,
			says: []string{`serving "glm" failed`, "CreateServiceFailed", "shared-internal already exist", "  alice   -     no status  2        -        -          -", "  bob     -     Available  1        1        1          0"},
		},
		"deleted":                {status: []step{{5 * second, detail(progress, pods("alice", 2, 0, 2, 2))}, {0, unlisted}}, cause: CauseDeleted, after: 5 * second, says: []string{"it was deleted"}},
		"not listed yet":         {status: []step{{second, unlisted}, {0, runs}}, after: second},
		"later":                  {status: []step{{2 * minute, detail(progress)}, {0, noImage}}, cause: CauseFailed, after: 2*minute + second},
		"before an update":       {status: still(detail(failed)), target: update(detail(failed)), cause: CauseFailed, after: StartTimeout},
		"after an update":        {status: still(detail(failed)), target: update(runs), cause: CauseFailed, after: 1500 * ms},
		"given up briefly":       {status: []step{{second, nil}, {0, runs}}, sees: until(900*ms, Observation{GivenUp: "no app image"}, nil), after: second},
		"given up":               {status: still(nil), sees: until(minute, Observation{GivenUp: "given up", Text: "why it has given up"}, nil), cause: CauseFailed, after: second, says: []string{"why it has given up"}},
		"given up by the update": {status: still(runs), target: update(runs), sees: until(20*second, Observation{GivenUp: "given up"}, nil), after: 20 * second},
		"stopped":                {status: still(runs), target: update(runs), sees: until(minute, Observation{Stopped: true, Text: "why it is stopped"}, nil), cause: CauseFailed, after: second, says: []string{"why it is stopped"}},
		"unavailable briefly":    {status: still(runs), fails: refusing(0, 20*second, kuscia.ErrUnavailable), after: 20 * second},
		"unavailable": {
			status: still(runs), fails: refusing(0, minute, fmt.Errorf("connection refused: %w", kuscia.ErrUnavailable)), limit: 20 * second,
			cause: CauseTimedOut, after: 20 * second, says: []string{"connection refused"},
		},
	}
	for _, kind := range []error{kuscia.ErrUnauthorized, kuscia.ErrInvalid, kuscia.ErrUnsupported} {
		// A reload of a gateway, or a new token, ends no wait.
		cases["refused briefly: "+kind.Error()] = waitCase{status: still(runs), fails: refusing(0, 20*second, kind), after: 20 * second}
		cases["refused: "+kind.Error()] = waitCase{status: still(runs), fails: refusing(0, minute, kind), cause: CauseRefused, after: 30 * second}
	}
	return cases
}

// limits are waits that end at their time limit, or without progress, with what explains it.
func limits() map[string]waitCase {
	stale := detail(available, pods("alice", 2, 2, 0, 2), pods("bob", 1, 1, 0, 1))
	stale.CreateTime = "2026-11-21T00:09:00Z"
	slow := []step{}
	for i := range int32(7) {
		slow = append(slow, step{time.Duration(i+1) * 25 * second, detail(progress, pods("alice", 2+i, 0, 2, 1), pods("bob", 1, 1, 0, 1))})
	}
	cases := map[string]waitCase{
		"no status":    {status: still(nil), says: []string{"no status", "(for 1m0s)", "app image", "a domain does not exist", "service_name_prefix", "does not run as configured after 1m0s"}},
		"held rollout": {status: still(detail(available, pods("alice", 2, 2, 0, 0), pods("bob", 1, 1, 0, 1))), target: updated(named("glm")), says: []string{"state Available", "party alice has fewer updated pods than desired", "Kruise Rollout", "do not start", "  DOMAIN  ROLE  STATE"}},
		"old replicas": {status: still(detail(available, pods("alice", 3, 3, 0, 3), pods("bob", 1, 1, 0, 1))), target: updated(named("glm")), says: []string{"does not run the desired number of pods", "could not apply the update"}},
		"stuck parties": {
			status: []step{{3 * second, runs}, {0, detail(partial, pods("alice", 3, 2, 1, 2), pods("bob", 2, 1, 1, 1))}}, target: update(runs),
			says: []string{"Parties alice, bob do not run the desired number of pods, 2 not available"},
		},
		"not ready":    {status: still(withReason("", 0)), says: []string{"do not become available", "readiness probe"}},
		"a party less": {status: still(detail(progress, pods("alice", 2, 2, 0, 2))), says: []string{"nothing for party bob", "no status"}},
		"image":        {status: still(withReason("ImagePullBackOff", 0)), says: []string{"ImagePullBackOff", `Back-off pulling image "example/app:typo"`, "cannot be pulled", "registry", "Kuscia tells this of one party"}},
		"crash":        {status: still(withReason("CrashLoopBackOff", 0)), says: []string{"starts and exits again"}},
		"stuck rollout": {
			status: []step{{3 * second, runs}, {6 * second, withReason("ImagePullBackOff", 0)}, {0, detail(partial, pods("alice", 3, 2, 1, 2), pods("bob", 1, 1, 0, 1))}}, target: update(runs),
			says: []string{"most likely the new pods do not start, and the old ones are kept", "after the start of the wait, Kuscia reported: domainID: alice, reason: ImagePullBackOff", `"example/app:typo"`, "cannot be pulled"},
		},
	}
	for name, c := range cases {
		c.limit, c.cause, c.after = minute, CauseTimedOut, minute
		cases[name] = c
	}
	cases["stale Deployment"] = waitCase{status: still(stale), limit: 30 * second, cause: CauseTimedOut, after: 30 * second, says: []string{"older than the serving", "earlier serving with the same ID"}}
	cases["stale Deployment, replaced"] = waitCase{status: []step{{5 * second, stale}, {0, runs}}, after: 5 * second}
	cases["stale Deployment, kept"] = waitCase{status: still(stale), after: minute}
	pulling, deadline := withReason("ErrImagePull", 0), within(30*second, update(runs))
	noProgress := []string{"made no progress for 30s (progress_deadline)"}
	cases["no progress: no start"] = waitCase{status: still(runs), target: deadline, cause: CauseNoProgress, after: 30 * second, says: noProgress}
	cases["no progress: an outage"] = waitCase{status: still(pulling), fails: refusing(10*second, 50*second, kuscia.ErrUnavailable), target: deadline, cause: CauseNoProgress, after: 70 * second, says: noProgress}
	cases["no start"] = waitCase{status: still(runs), target: update(runs), limit: 20 * second, cause: CauseTimedOut, after: 20 * second, says: []string{"the start of the rollout of party alice was not observed"}}
	cases["slow progress"] = waitCase{status: append(slow, step{0, runs}), target: deadline, after: 175 * second, notSeen: []string{"bob"}}
	return cases
}

// podFailures are pods that do not start for a reason that rarely heals, and others.
func podFailures() map[string]waitCase {
	const deadline = 10 * minute
	pulling, crashing := withReason("ImagePullBackOff", 0), withReason("CrashLoopBackOff", 0)
	first := []string{"Pods do not run: domainID: alice, reason: "}
	cases := map[string]waitCase{
		"image":       {status: still(pulling), cause: CausePodsFail, after: wait.PodFailureTimeout, says: first},
		"two reasons": {status: alternating(10*second, withReason("ErrImagePull", 0), pulling), cause: CausePodsFail, after: wait.PodFailureTimeout, says: first},
		"crashes":     {status: alternating(40*second, crashing, withReason("", 1)), cause: CausePodsFail, after: wait.PodFailureTimeout + 80*second, says: first},
		"what it said before": {
			status: append([]step{{2 * second, reasoned(withReason("", 0), "domainID: bob, reason: Error", "cannot start")}}, step{0, crashing}), cause: CausePodsFail, after: wait.PodFailureTimeout,
			says: append(first, "\n  Kuscia said before: domainID: bob, reason: Error, message: cannot start\n"),
		},
		"crashes rarely":             {status: alternating(90*second, crashing, withReason("", 1)), cause: CauseNoProgress, after: deadline + 90*second},
		"no node":                    {status: still(withReason("Unschedulable", 0)), cause: CauseNoProgress, after: deadline},
		"heals":                      {status: []step{{170 * second, pulling}, {400 * second, withReason("", 0)}, {0, runs}}, after: 400 * second},
		"makes progress":             {status: []step{{170 * second, pulling}, {340 * second, withReason("ImagePullBackOff", 1)}, {0, runs}}, after: 340 * second},
		"pods from before an update": {status: []step{{400 * second, pulling}, {0, runs}}, target: update(pulling), after: 400 * second, notSeen: []string{"bob"}},
		"after an update": {
			status: []step{{10 * second, runs}, {0, pulling}}, target: since(rolling(judge.RecreateAll, named("glm")), runs), cause: CausePodsFail, after: wait.PodFailureTimeout + 10*second, says: first,
		},
	}
	for name, c := range cases {
		if c.target.ServingID == "" {
			c.target = named("glm")
		}
		c.target = within(deadline, c.target)
		cases[name] = c
	}
	cases["in the cluster"] = waitCase{
		status: still(runs), target: since(updated(named("glm")), runs), sees: until(deadline, Observation{PodsFail: "pods have not started", Text: "what is there"}, nil),
		cause: CausePodsFail, says: []string{"Pods do not run: ErrImagePull (alice). It cannot be pulled.\n\n  alice: pod glm\n\nPods of serving"},
	}
	return cases
}

// starts are updates whose rollout has to be seen to start.
func starts() map[string]waitCase {
	one := update(runs)
	one.Parties[1].Replacement = judge.NoReplacement
	stuck := detail(partial, pods("alice", 3, 2, 1, 1), pods("bob", 1, 1, 0, 1))
	broken := update(stuck)
	broken.Parties[1].Unchanged, broken.Parties[1].Replacement = true, judge.NoReplacement
	rolls := detail(partial, pods("alice", 3, 2, 1, 1), pods("bob", 2, 1, 1, 1))
	return map[string]waitCase{
		"at once":             {status: []step{{0, runs}, {second, rolls}, {0, runs}}, target: update(runs), after: second},
		"after a long lag":    {status: []step{{80 * second, runs}, {81 * second, rolls}, {0, runs}}, target: update(runs), after: 81 * second},
		"not seen":            {status: still(runs), target: one, after: StartTimeout, notSeen: []string{"alice"}},
		"not seen, a blip":    {status: still(runs), fails: refusing(20*second, 23*second, kuscia.ErrUnavailable), target: one, after: StartTimeout, notSeen: []string{"alice"}},
		"not seen, an outage": {status: still(runs), fails: refusing(20*second, 50*second, kuscia.ErrUnavailable), target: one, after: 50*second + StartTimeout, notSeen: []string{"alice"}},
		// The start of one party does not count for another one.
		"one after the other": {
			status: []step{
				{second, runs}, {2 * second, detail(available, pods("alice", 3, 3, 0, 1), pods("bob", 1, 1, 0, 1))},
				{20 * second, runs}, {21 * second, detail(available, pods("alice", 2, 2, 0, 2), pods("bob", 2, 1, 1, 1))}, {0, runs},
			}, target: update(runs), after: 21 * second,
		},
		// A party whose replica counts were wrong is complete with the desired ones.
		"a broken party":       {status: []step{{200 * ms, stuck}, {0, runs}}, target: broken, after: second},
		"a broken party, late": {status: []step{{40 * second, stuck}, {0, runs}}, target: broken, after: 40 * second},
	}
}

// observedUpdates are updates with an observer: neither replica counts nor time are enough.
func observedUpdates() map[string]waitCase {
	older := pods("bob", 1, 1, 0, 1)
	older.CreateTime = "2026-11-21T00:08:26Z"
	held := sees(false, true)
	held.Paused = "held at step 1"
	elsewhere := Observation{Parties: []PartyObservation{{DomainID: "alice", Done: true}, {DomainID: "bob", Elsewhere: true}}}
	created, _ := time.Parse(time.RFC3339, born)
	at := func(created time.Time, paused string) Observation {
		observation := sees(paused == "", true)
		observation.Created, observation.Paused = created, paused
		return observation
	}
	const never = time.Hour
	other := []string{"was created at", "does not refer to the cluster of this Kuscia"}
	cases := map[string]waitCase{
		"at once":              {sees: until(0, Observation{}, nil)},
		"lags":                 {sees: until(5*minute, sees(false, false), nil), after: 5 * minute},
		"one party lags":       {sees: until(5*minute, sees(true, false), nil), after: 5 * minute},
		"nothing observed":     {sees: until(5*minute, Observation{}, nil), after: 5 * minute},
		"unavailable":          {sees: until(5*minute, Observation{}, apierror.ErrUnavailable), after: 5 * minute},
		"refused briefly":      {sees: until(20*second, Observation{}, apierror.ErrUnauthorized), after: 20 * second},
		"a party elsewhere":    {sees: until(never, elsewhere, nil), after: StartTimeout, notSeen: []string{"bob"}},
		"the status lags":      {status: []step{{10 * second, detail(partial, pods("alice", 2, 2, 0, 2), pods("bob", 1, 0, 1, 1))}, {0, runs}}, sees: until(0, Observation{}, nil), after: 10 * second},
		"held":                 {sees: until(never, held, nil), paused: "held at step 1"},
		"never available":      {sees: until(never, Observation{}, apierror.ErrUnavailable), cause: CauseTimedOut, after: 10 * minute, says: []string{"may be from before the update"}},
		"refused":              {sees: until(never, Observation{}, apierror.ErrUnauthorized), cause: CauseRefused, after: 30 * second, says: []string{"its Deployments"}},
		"an old Deployment":    {status: still(detail(available, pods("alice", 2, 2, 0, 2), older)), sees: until(0, Observation{}, nil)},
		"behind":               {sees: until(never, sees(true, false), nil), cause: CauseTimedOut, after: 10 * minute, says: []string{"the Deployment of party bob is not", "In the cluster: what is there."}},
		"the serving's":        {sees: until(never, at(created.Add(second), ""), nil)},
		"the serving's, held":  {sees: until(never, at(created.In(time.FixedZone("CST", 8*3600)), "held at step 1"), nil), paused: "held at step 1"},
		"another one":          {sees: until(never, at(created.Add(-never), ""), nil), cause: CauseOtherCluster, after: 10 * second, says: other},
		"another one, held":    {sees: until(never, at(created.Add(never), "held at step 1"), nil), cause: CauseOtherCluster, after: 10 * second, says: other},
		"another one, briefly": {sees: until(8*second, at(created.Add(-never), ""), nil), after: 8 * second},
		"another one, no status": {
			fails: refusing(0, never, apierror.ErrUnavailable), sees: until(never, at(created.Add(never), ""), nil), cause: CauseOtherCluster, after: 10 * second, says: []string{"created at a different time than the serving"},
		},
		"missing":          {sees: until(never, Observation{Missing: true}, nil), cause: CauseOtherCluster, after: 10 * second, says: []string{"has no KusciaDeployment of this name"}},
		"missing, briefly": {sees: until(8*second, Observation{Missing: true}, nil), after: 8 * second},
	}
	for name, c := range cases {
		c.target, c.limit = update(runs), 10*minute
		if c.status == nil {
			c.status = still(runs)
		}
		cases[name] = c
	}
	cases["missing before the status"] = waitCase{status: []step{{minute, nil}, {0, runs}}, sees: until(minute, Observation{Missing: true}, nil), after: minute}
	return cases
}

// TestWaits: when a wait ends, and with which result.
func TestWaits(t *testing.T) {
	for group, cases := range map[string]map[string]waitCase{
		"failed": failures(), "limited": limits(), "pods": podFailures(), "started": starts(), "observed": observedUpdates(),
	} {
		for name, c := range cases {
			t.Run(group+" "+name, func(t *testing.T) { inTime(t, c.test) })
		}
	}
}

// TestUnlistedOnce: one response without the serving does not mean that it is deleted.
func TestUnlistedOnce(t *testing.T) {
	inTime(t, func(t *testing.T) {
		looks := 0
		source := &fakeSource{status: func(string) (*kuscia.ServingStatusDetail, bool) {
			looks++
			return withReason("", 0), looks != 10
		}}
		ctx, cancel := context.WithTimeout(t.Context(), 20*second)
		defer cancel()
		var e *NotRunningError
		if _, err := NewPoller(source).WaitRunning(ctx, named("glm")); !errors.As(err, &e) || e.Cause != CauseTimedOut || looks < 11 {
			t.Errorf("%v", err)
		}
	})
}
