package wait

import "time"

// Option changes a Poller.
type Option func(*options)

type options struct {
	// first is the delay before the first look after a new wait, gone that
	// before the look for a deleted serving.
	first, gone time.Duration
	// min and max bound the time between two looks; a wait is looked after
	// each share of its age, so that a long one costs little and its end is
	// still seen soon in proportion.
	min, max time.Duration
	share    int
	// confirm is the time before the look that confirms a running serving.
	confirm time.Duration
	// beginMin and beginMax bound the time between two looks until a rollout is
	// seen to begin, growing with the age of the wait like the others. It is
	// visible for as long as a pod takes to start: on real nodes a second and
	// more, and a fifth of one is seen even when it begins late.
	beginMin, beginMax time.Duration
	// fresh is after which time answers are no longer about the time before an
	// update on a control plane that does not lag: up to 0.3 s was observed on
	// Kuscia v1.1. settle is the same with a margin, where nothing else tells
	// the two apart; begin is BeginTime.
	fresh, settle, begin time.Duration
	// outage is how long looks may fail before begin and the progress deadline
	// stop counting: controllers do not work while their API server is away.
	outage time.Duration
	// refused is how long the server has to refuse the status, look after look,
	// before that ends a wait: a reload of an ingress or a new token takes
	// seconds. refusedPause is the least time between two of these looks.
	refused, refusedPause time.Duration
	// heartbeat is the longest time without a line in the log.
	heartbeat time.Duration
	// leftovers is how long Deployments older than the serving are mistrusted
	// while everything runs as asked. They are removed within a second on an
	// idle Kuscia; a partner's clock (P2P) can make them look old for ever.
	leftovers time.Duration
	// chunk is how many ids one request asks.
	chunk  int
	jitter float64
}

func defaults() options {
	return options{
		first: 250 * time.Millisecond, gone: 50 * time.Millisecond,
		min: 250 * time.Millisecond, max: 2500 * time.Millisecond, share: 40,
		confirm: 150 * time.Millisecond, beginMin: 50 * time.Millisecond, beginMax: 150 * time.Millisecond,
		fresh: 750 * time.Millisecond, settle: 1500 * time.Millisecond, begin: BeginTime, outage: 5 * time.Second,
		refused: 30 * time.Second, refusedPause: time.Second, heartbeat: 30 * time.Second,
		leftovers: time.Minute, chunk: 200, jitter: 0.1,
	}
}

// WithInterval bounds the time between two looks.
func WithInterval(shortest, longest time.Duration) Option {
	return func(o *options) {
		o.min, o.max = shortest, max(shortest, longest)
		o.first, o.confirm, o.gone = shortest, min(o.confirm, shortest), min(o.gone, shortest)
		o.beginMin, o.beginMax = min(o.beginMin, shortest), min(o.beginMax, shortest)
	}
}

// WithLeftoverTime sets how long Deployments older than their serving are
// mistrusted though they run as asked.
func WithLeftoverTime(leftovers time.Duration) Option {
	return func(o *options) { o.leftovers = leftovers }
}

// WithChunkSize sets how many ids one request asks.
func WithChunkSize(size int) Option {
	return func(o *options) { o.chunk = max(1, size) }
}
