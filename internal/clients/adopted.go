package clients

import "sync"

// adopted are the objects that creates of this run took over. The zero value is
// ready for use.
type adopted struct {
	mu      sync.Mutex
	objects map[adoptedObject]bool
}

type adoptedObject struct{ resourceType, id string }

// NoteAdopted notes that a create of this run took over an object that was
// there.
func (c *Clients) NoteAdopted(resourceType, id string) {
	c.adopted.mu.Lock()
	defer c.adopted.mu.Unlock()
	if c.adopted.objects == nil {
		c.adopted.objects = map[adoptedObject]bool{}
	}
	c.adopted.objects[adoptedObject{resourceType, id}] = true
}

// WasAdopted reports whether a create of this run took over an object. With
// create_before_destroy that is the very object which is to be deleted next.
func (c *Clients) WasAdopted(resourceType, id string) bool {
	c.adopted.mu.Lock()
	defer c.adopted.mu.Unlock()
	return c.adopted.objects[adoptedObject{resourceType, id}]
}
