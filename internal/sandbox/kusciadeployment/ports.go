package kusciadeployment

import "sync"

// The range of Kuscia's port numbers.
const (
	firstPort = 20000
	lastPort  = 32767
)

// Ports are the port numbers that are in use, by domain. The zero value is empty.
type Ports struct {
	mu   sync.Mutex
	used map[string]map[int32]bool
}

// Take reserves n consecutive numbers of a domain and returns the first. random
// returns a number below its argument. If none are free it repeats some, since nothing
// listens there.
func (p *Ports) Take(domain string, n int32, random func(n int32) int32) int32 {
	p.mu.Lock()
	defer p.mu.Unlock()
	room := lastPort - firstPort + 1 - n
	start := random(room)
	for i := range room {
		if first := firstPort + (start+i)%room; p.free(domain, first, n) {
			start = first - firstPort
			break
		}
	}
	for i := range n {
		p.use(domain, firstPort+start+i)
	}
	return firstPort + start
}

func (p *Ports) free(domain string, first, n int32) bool {
	for i := range n {
		if p.used[domain][first+i] {
			return false
		}
	}
	return true
}

func (p *Ports) use(domain string, number int32) {
	if p.used == nil {
		p.used = map[string]map[int32]bool{}
	}
	if p.used[domain] == nil {
		p.used[domain] = map[int32]bool{}
	}
	p.used[domain][number] = true
}

// Use marks a number as used.
func (p *Ports) Use(domain string, number int32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.use(domain, number)
}

// Release makes a number free again.
func (p *Ports) Release(domain string, number int32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.used[domain], number)
}
