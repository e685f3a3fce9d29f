package servingstatus

import (
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/judge"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// Option changes a Poller.
type Option func(*options)

// failedFor is how long a new serving must have the same failure before its wait
// ends.
const failedFor = time.Second

type options struct {
	// first is the delay before the first poll of a wait, gone that of a wait
	// for a deletion.
	first, gone time.Duration
	// min and max bound the time between two polls. Between them it is the age
	// of the wait divided by ageDivisor, so that a long wait sends few requests and
	// the delay at its end is in proportion to its length.
	min, max   time.Duration
	ageDivisor int
	// confirm is the time before the poll that confirms a running serving.
	confirm time.Duration
	// startPollMin and startPollMax replace min and max until the start of the
	// rollout is observed. A rollout is visible for as long as a pod takes to
	// start, which is at least a second on real nodes. With these values even a
	// late rollout of 0.2 s is observed.
	startPollMin, startPollMax time.Duration
	// startLooks is how long after its start a wait for the start of a rollout is
	// queried in small groups, at most maxLooks at a time. An idle control plane
	// starts a rollout within a second.
	startLooks time.Duration
	maxLooks   int
	// minStarts is the least number of StartSlots. It grows while requests for starts
	// take less than quickLook, and shrinks while they take more than slowLook.
	// startHold is how long a wait holds a slot at most.
	minStarts           int
	quickLook, slowLook time.Duration
	startHold           time.Duration
	// times are those for the judge. After Lag, Kuscia no longer returns the status from
	// before an update, on a control plane that does not lag: up to 0.3 s was observed on
	// Kuscia v1.1. Start is StartTimeout. An idle Kuscia deletes leftovers within a second,
	// and the clock of a partner (P2P) can make a Deployment appear old forever.
	times judge.Times
	// outage is how long polls may fail before the time counts as an outage,
	// which does not count towards StartTimeout and the progress deadline:
	// controllers do not work while their API server is unreachable.
	outage time.Duration
	// refusedPause is the minimum time between two polls after a refusal.
	refusedPause time.Duration
	// heartbeat is the maximum time between two log lines.
	heartbeat time.Duration
	// otherCluster is how long the KusciaDeployment in the cluster must be
	// missing or belong to another serving before the cluster counts as that of
	// another Kuscia.
	otherCluster time.Duration
	// chunk is the maximum number of ids in a request.
	chunk  int
	jitter float64
}

func defaults() options {
	return options{
		first: 250 * time.Millisecond, gone: 50 * time.Millisecond,
		min: 250 * time.Millisecond, max: 2500 * time.Millisecond, ageDivisor: 40,
		confirm: 150 * time.Millisecond, startPollMin: 50 * time.Millisecond, startPollMax: 150 * time.Millisecond,
		startLooks: 5 * time.Second, maxLooks: 4, minStarts: 3, quickLook: 100 * time.Millisecond, slowLook: 200 * time.Millisecond, startHold: 2 * time.Second,
		times: judge.Times{Lag: 750 * time.Millisecond, LagMargin: 1500 * time.Millisecond, Start: StartTimeout, Leftovers: time.Minute}, outage: 5 * time.Second,
		refusedPause: time.Second, heartbeat: 30 * time.Second,
		otherCluster: 10 * time.Second, chunk: 200, jitter: 0.1,
	}
}

// pause returns the time until the next poll of a wait that is this old; err is the error of
// the last one.
func (o *options) pause(age time.Duration, err error) time.Duration {
	pause := min(o.max, max(o.min, age/time.Duration(o.ageDivisor)))
	if wait.IsRefusal(err) {
		pause = max(pause, o.refusedPause)
	}
	return pause
}

// WithInterval bounds the time between two polls.
func WithInterval(shortest, longest time.Duration) Option {
	return func(o *options) {
		o.min, o.max = shortest, max(shortest, longest)
		o.first, o.confirm, o.gone = shortest, min(o.confirm, shortest), min(o.gone, shortest)
		o.startPollMin, o.startPollMax = min(o.startPollMin, shortest), min(o.startPollMax, shortest)
	}
}

// WithStaleDeploymentTimeout sets how long a wait continues because of
// Deployments that are older than their serving and run as desired.
func WithStaleDeploymentTimeout(timeout time.Duration) Option {
	return func(o *options) { o.times.Leftovers = timeout }
}

// WithChunkSize sets the maximum number of ids in a request.
func WithChunkSize(size int) Option {
	return func(o *options) { o.chunk = max(1, size) }
}
