package run

// Key names a value of a run. Keys of values of different types are different keys.
type Key[V any] string

// Value returns the value of a key, which exists as long as the run: for one plan or apply. The
// first call creates it.
func Value[V any](r *Run, key Key[V], create func() V) V {
	found, ok := r.values.Load(key)
	if !ok {
		found, _ = r.values.LoadOrStore(key, create())
	}
	value, _ := found.(V)
	return value
}

// Writes counts the starts and ends of writes in this plan or apply. A response
// is only certain to be current if the count was the same before the request.
func (r *Run) Writes() int64 { return r.writes.Load() }

// CountWrite counts the start or the end of a write.
func (r *Run) CountWrite() { r.writes.Add(1) }
