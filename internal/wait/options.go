package wait

import "time"

// Option changes a Poller.
type Option func(*options)

// failedFor is for how long a new serving has to show the same failure before that
// ends its wait.
const failedFor = time.Second

type options struct {
	// first is the delay before the first poll of a new wait, gone that before the
	// poll for a deleted serving.
	first, gone time.Duration
	// min and max bound the time between two polls. Between them it is the age of the
	// wait divided by share, so that a long wait makes few requests and its end is
	// seen with a delay in proportion to its length.
	min, max time.Duration
	share    int
	// confirm is the time before the poll that confirms a running serving.
	confirm time.Duration
	// beginMin and beginMax bound the time between two polls until a rollout is seen
	// to begin, in place of min and max. A rollout is visible for as long as a pod
	// takes to start: a second and more on real nodes. One of 0.2 s is seen even if
	// it begins late.
	beginMin, beginMax time.Duration
	// fresh is the time after an update from which a status is not the one of before
	// it any more, on a control plane that does not lag: up to 0.3 s was observed on
	// Kuscia v1.1. settle is the same with a larger margin, for where nothing else
	// tells; begin is BeginTime.
	fresh, settle, begin time.Duration
	// outage is how long polls may fail before begin and the progress deadline
	// stop counting: controllers do not work while their API server is away.
	outage time.Duration
	// refusedPause is the least time between two polls after a refusal.
	refusedPause time.Duration
	// heartbeat is the longest time without a line in the log.
	heartbeat time.Duration
	// leftovers is for how long a wait goes on because of Deployments older than the
	// serving while everything runs as desired. They are removed within a second on an
	// idle Kuscia; a partner's clock (P2P) can make them look old for ever.
	leftovers time.Duration
	// otherCluster is for how long what the cluster shows has to be of another serving, or
	// missing, before it counts as that of another Kuscia.
	otherCluster time.Duration
	// chunk is how many ids one request has at most.
	chunk  int
	jitter float64
}

func defaults() options {
	return options{
		first: 250 * time.Millisecond, gone: 50 * time.Millisecond,
		min: 250 * time.Millisecond, max: 2500 * time.Millisecond, share: 40,
		confirm: 150 * time.Millisecond, beginMin: 50 * time.Millisecond, beginMax: 150 * time.Millisecond,
		fresh: 750 * time.Millisecond, settle: 1500 * time.Millisecond, begin: BeginTime, outage: 5 * time.Second,
		refusedPause: time.Second, heartbeat: 30 * time.Second,
		leftovers: time.Minute, otherCluster: 10 * time.Second, chunk: 200, jitter: 0.1,
	}
}

// WithInterval bounds the time between two polls.
func WithInterval(shortest, longest time.Duration) Option {
	return func(o *options) {
		o.min, o.max = shortest, max(shortest, longest)
		o.first, o.confirm, o.gone = shortest, min(o.confirm, shortest), min(o.gone, shortest)
		o.beginMin, o.beginMax = min(o.beginMin, shortest), min(o.beginMax, shortest)
	}
}

// WithLeftoverTime sets for how long a wait goes on because of Deployments that are
// older than their serving and run as desired.
func WithLeftoverTime(leftovers time.Duration) Option {
	return func(o *options) { o.leftovers = leftovers }
}

// WithChunkSize sets how many ids one request has at most.
func WithChunkSize(size int) Option {
	return func(o *options) { o.chunk = max(1, size) }
}
