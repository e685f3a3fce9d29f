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
	// settle is how long answers may be about the time before an update:
	// up to 0.3 s was observed on Kuscia v1.1.
	settle time.Duration
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
		confirm: 150 * time.Millisecond, settle: 1500 * time.Millisecond,
		leftovers: time.Minute, chunk: 200, jitter: 0.1,
	}
}

// WithInterval bounds the time between two looks.
func WithInterval(shortest, longest time.Duration) Option {
	return func(o *options) {
		o.min, o.max = shortest, max(shortest, longest)
		o.first, o.confirm, o.gone = shortest, min(o.confirm, shortest), min(o.gone, shortest)
	}
}

// WithSettleTime sets how long answers after an update may be about the time
// before it.
func WithSettleTime(settle time.Duration) Option {
	return func(o *options) { o.settle = settle }
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
