package clients

// ForThisRun returns the value of a name that lasts as long as these clients: a
// plan, or an apply. The first call makes it.
func (c *Clients) ForThisRun(name string, create func() any) any {
	if value, ok := c.ofRun.Load(name); ok {
		return value
	}
	value, _ := c.ofRun.LoadOrStore(name, create())
	return value
}

// Writes changes with every write of this run, when it begins and when it ends.
// An answer to a question that was asked at another value may be over.
func (c *Clients) Writes() int64 { return c.writes.Load() }

// NoteWrite notes that a write begins or ends.
func (c *Clients) NoteWrite() { c.writes.Add(1) }
