package sandbox

// cleanUp removes what a deleted serving left, found by its id: if a new
// serving of that id took things over, it loses them and makes them again.
func (w *Servings) cleanUp(id string) {
	delete(w.cleaning, id)
	for _, svc := range w.cluster.removeOwned(id) {
		delete(w.usedPorts[svc.key.namespace], svc.number)
	}
	if sv := w.byID[id]; sv != nil {
		w.wake(sv, w.Timing.Observe)
	}
}
