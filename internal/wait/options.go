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
	// startPollMin and startPollMax bound the time between two polls until a rollout is seen
	// to begin, in place of min and max. A rollout is visible for as long as a pod
	// takes to start: a second and more on real nodes. One of 0.2 s is seen even if
	// it begins late.
	startPollMin, startPollMax time.Duration
	// statusLag is the time after an update from which a status is not the one of before
	// it any more, on a control plane that does not lag: up to 0.3 s was observed on
	// Kuscia v1.1. settle is the same with a larger margin, for where nothing else
	// tells; begin is StartTimeout.
	statusLag, statusLagMargin, startTimeout time.Duration
	// outage is how long polls may fail before begin and the progress deadline
	// stop counting: controllers do not work while their API server is away.
	outage time.Duration
	// refusedPause is the least time between two polls after a refusal.
	refusedPause time.Duration
	// heartbeat is the longest time without a line in the log.
	heartbeat time.Duration
	// staleDeploymentTimeout is for how long a wait goes on because of Deployments older than the
	// serving while everything runs as desired. They are removed within a second on an
	// idle Kuscia; a partner's clock (P2P) can make them look old for ever.
	staleDeploymentTimeout time.Duration
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
		confirm: 150 * time.Millisecond, startPollMin: 50 * time.Millisecond, startPollMax: 150 * time.Millisecond,
		statusLag: 750 * time.Millisecond, statusLagMargin: 1500 * time.Millisecond, startTimeout: StartTimeout, outage: 5 * time.Second,
		refusedPause: time.Second, heartbeat: 30 * time.Second,
		staleDeploymentTimeout: time.Minute, otherCluster: 10 * time.Second, chunk: 200, jitter: 0.1,
	}
}

// WithInterval bounds the time between two polls.
func WithInterval(shortest, longest time.Duration) Option {
	return func(o *options) {
		o.min, o.max = shortest, max(shortest, longest)
		o.first, o.confirm, o.gone = shortest, min(o.confirm, shortest), min(o.gone, shortest)
		o.startPollMin, o.startPollMax = min(o.startPollMin, shortest), min(o.startPollMax, shortest)
	}
}

// WithStaleDeploymentTimeout sets for how long a wait goes on because of Deployments that are
// older than their serving and run as desired.
func WithStaleDeploymentTimeout(leftovers time.Duration) Option {
	return func(o *options) { o.staleDeploymentTimeout = leftovers }
}

// WithChunkSize sets how many ids one request has at most.
func WithChunkSize(size int) Option {
	return func(o *options) { o.chunk = max(1, size) }
}
