package journal

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// Process has the notes that this process settled. One lock for each folder
// stands for all of them, so that many objects need no more open files than one.
type Process struct {
	// keep is how long a settled note stays; 0 is until End.
	keep time.Duration
	// parent is the process that is to take the outcomes; 0 when it is none of
	// this one's ancestors.
	parent int

	mu      sync.Mutex
	folders map[string]*settled
}

// settled are the notes of one folder, each file with its note's salt.
type settled struct {
	lock  *flock.Flock
	notes map[string]string
	done  chan struct{}
}

// shared is for servers that run inside of a process which does not tell when it
// ends, as in tests.
var shared = &Process{keep: 30 * time.Second}

// NewProcess is for the process that the CLI starts for the provider. Call End
// when it has served. When the CLI dies before, the notes are interrupted.
func NewProcess() *Process { return &Process{parent: os.Getppid()} }

// Journal returns the journal for a server, kept in a folder below the user's
// cache folder, such as os.UserCacheDir returns.
func (p *Process) Journal(cacheDir, endpoint string) *Journal {
	return &Journal{dir: filepath.Join(cacheDir, "terraform-provider-kuscia", "creating"), endpoint: endpoint, process: p}
}

// End removes the notes: the CLI ended the provider in order, and stores what it
// has.
func (p *Process) End() { p.leave(removeOwn) }

// abandon lets go of the notes, as the end of a killed process does.
func (p *Process) abandon() { p.leave(func(string, string) {}) }

func (p *Process) leave(each func(file, salt string)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for dir, s := range p.folders {
		for file, salt := range s.notes {
			each(file, salt)
		}
		p.close(dir, s)
	}
}

// settle writes the note of a create that has returned. The caller holds the
// lock of the file.
func (p *Process) settle(file string, n note) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	s, err := p.folder(filepath.Dir(file))
	if err != nil {
		return err
	}
	n.Process = filepath.Base(s.lock.Path())
	s.notes[file] = n.Salt
	if err := n.write(file); err != nil {
		p.drop(file, n.Salt)
		return err
	}
	if p.keep > 0 {
		time.AfterFunc(p.keep, func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.drop(file, n.Salt)
		})
	}
	return nil
}

// forget drops the note of a file, if this process settled it.
func (p *Process) forget(file string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s := p.folders[filepath.Dir(file)]; s != nil {
		p.drop(file, s.notes[file])
	}
}

// isOwn reports whether this process settled the note.
func (p *Process) isOwn(file string, n note) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.folders[filepath.Dir(file)]
	return s != nil && n.Salt != "" && s.notes[file] == n.Salt
}

// folder takes the lock of this process in a folder.
func (p *Process) folder(dir string) (*settled, error) {
	if s := p.folders[dir]; s != nil {
		return s, nil
	}
	lock, err := acquire(filepath.Join(dir, "process-"+rand.Text()+".lock"))
	if err != nil {
		return nil, err
	}
	if lock == nil {
		return nil, fmt.Errorf("the lock of this process is taken")
	}
	s := &settled{lock: lock, notes: map[string]string{}, done: make(chan struct{})}
	if p.folders == nil {
		p.folders = map[string]*settled{}
	}
	p.folders[dir] = s
	if p.parent != 0 {
		go p.watch(s.done)
	}
	return s, nil
}

// watch waits for the death of the CLI. A provider whose CLI was killed lives on
// and must not keep the notes from the next apply. Where a process keeps its
// parent's number for good (Windows) this waits until the provider is ended.
func (p *Process) watch(done <-chan struct{}) {
	look := time.NewTicker(200 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case <-done:
			return
		case <-look.C:
			if os.Getppid() != p.parent {
				p.abandon()
				return
			}
		}
	}
}

// drop removes one settled note, and with the last one the lock. p.mu is held.
func (p *Process) drop(file, salt string) {
	dir := filepath.Dir(file)
	s := p.folders[dir]
	if s == nil || salt == "" || s.notes[file] != salt {
		return
	}
	removeOwn(file, salt)
	delete(s.notes, file)
	if len(s.notes) == 0 {
		p.close(dir, s)
	}
}

// close gives the lock of a folder back. Notes that are still there are
// interrupted from now on. p.mu is held.
func (p *Process) close(dir string, s *settled) {
	delete(p.folders, dir)
	close(s.done)
	release(s.lock)
}

// removeOwn removes a note unless it has given way to another one.
func removeOwn(file, salt string) {
	if readNote(file).Salt == salt {
		remove(file)
	}
}
