package plan

// Rejoined puts an object that a plan forgets at one address and imports at another one together: it
// stays managed, as one that moves. Without the provider configuration of both, the two may be objects
// of different installations, and stay two. forgotten are those that are no longer among all.
func Rejoined(objects []Object) (all, forgotten []Object) {
	imported := map[ID][]int{}
	for i, o := range objects {
		if id, ok := o.Identify(o.Before); ok && o.Imported {
			imported[id] = append(imported[id], i)
		}
	}
	gone := map[int]bool{}
	for i, o := range objects {
		id, ok := o.Identify(o.Before)
		if !ok || o.Action != Forget {
			continue
		}
		for _, at := range imported[id] {
			if SameProvider(o.Provider, objects[at].Provider) == Yes {
				objects[at].MovedFrom, gone[i] = o.Address, true
			}
		}
	}
	for i, o := range objects {
		if gone[i] {
			forgotten = append(forgotten, o)
		} else {
			all = append(all, o)
		}
	}
	return all, forgotten
}
