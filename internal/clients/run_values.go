package clients

// ForThisRun returns a value by name that exists as long as these clients: for
// one plan or apply. The first call creates it.
func (c *Clients) ForThisRun(name string, create func() any) any {
	if value, ok := c.runValues.Load(name); ok {
		return value
	}
	value, _ := c.runValues.LoadOrStore(name, create())
	return value
}

// Writes counts the starts and ends of writes in this plan or apply. A response
// is only certain to be current if the count was the same before the request.
func (c *Clients) Writes() int64 { return c.writes.Load() }

// CountWrite counts the start or the end of a write.
func (c *Clients) CountWrite() { c.writes.Add(1) }
