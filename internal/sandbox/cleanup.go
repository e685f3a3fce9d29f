package sandbox

import "slices"

// belongings are the objects that the controller made for a serving id.
type belongings struct {
	services    []objectKey
	deployments []objectKey
}

func (w *world) ownedBy(id string) *belongings {
	owned := w.owned[id]
	if owned == nil {
		owned = &belongings{}
		w.owned[id] = owned
	}
	return owned
}

// cleanUp removes what a deleted serving left, found by its id: if a new
// serving of that id took things over, it loses them and makes them again.
func (w *world) cleanUp(id string) {
	owned := w.ownedBy(id)
	delete(w.owned, id)
	delete(w.cleaning, id)
	for _, key := range owned.services {
		svc := w.services[key]
		delete(w.services, key)
		rest := slices.DeleteFunc(w.byOwner[svc.owner], func(other *service) bool { return other == svc })
		if len(rest) == 0 {
			delete(w.byOwner, svc.owner)
		} else {
			w.byOwner[svc.owner] = rest
		}
		delete(w.usedPorts[key.namespace], svc.number)
	}
	for _, key := range owned.deployments {
		delete(w.deployments, key)
	}
	if sv := w.servings[id]; sv != nil {
		w.wake(sv, w.timing.Observe)
	}
}
