package serving

// cleanUp removes the leftovers of a deleted serving by its id: a new serving
// with that id loses what it has adopted and creates it again.
func (w *Servings) cleanUp(id string) {
	delete(w.cleaning, id)
	for _, svc := range w.Cluster.RemoveOwned(id) {
		delete(w.usedPorts[svc.Key.Namespace], svc.Number)
	}
	if sv := w.byID[id]; sv != nil {
		w.wake(sv, w.Timing.Observe)
	}
}
