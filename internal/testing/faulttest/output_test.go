package faulttest_test

import (
	"bytes"
	"sync"
)

// output stores what is written to it. It is safe for concurrent use.
type output struct {
	mu       sync.Mutex
	text     bytes.Buffer
	watching func(line string)
}

// watch calls a function with everything that is written from now on.
func (o *output) watch(see func(line string)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.watching = see
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.watching != nil {
		o.watching(string(p))
	}
	return o.text.Write(p)
}

// String returns everything that was written.
func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}
