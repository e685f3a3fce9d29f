package clients

// ForThisRun returns the value of a name, which lasts as long as these clients: for
// one plan or apply. The first call creates it.
func (c *Clients) ForThisRun(name string, create func() any) any {
	if value, ok := c.runValues.Load(name); ok {
		return value
	}
	value, _ := c.runValues.LoadOrStore(name, create())
	return value
}

// Writes counts the beginnings and ends of writes of this plan or apply. A response
// is only certain to be up to date if the count was the same before the request.
func (c *Clients) Writes() int64 { return c.writes.Load() }

// NoteWrite counts the beginning or the end of a write.
func (c *Clients) NoteWrite() { c.writes.Add(1) }
