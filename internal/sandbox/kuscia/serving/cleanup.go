package serving

// cleanUp removes what a deleted serving left, found by its id: if a new
// serving of that id took things over, it loses them and makes them again.
func (w *Servings) cleanUp(id string) {
	delete(w.cleaning, id)
	for _, svc := range w.Cluster.RemoveOwned(id) {
		delete(w.usedPorts[svc.Key.Namespace], svc.Number)
	}
	if sv := w.byID[id]; sv != nil {
		w.wake(sv, w.Timing.Observe)
	}
}
