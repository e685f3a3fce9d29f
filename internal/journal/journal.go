package journal

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// Journal has the notes about one server. A nil Journal notes nothing.
type Journal struct {
	dir, endpoint string
	process       *Process
}

// New returns the journal for a server in a process that nobody ends in order:
// its settled notes stay for half a minute. Otherwise see Process.Journal.
func New(cacheDir, endpoint string) *Journal { return shared.Journal(cacheDir, endpoint) }

// Entry is the note about one create. Discard it when nothing was created, and
// Close it in any case.
type Entry struct {
	journal *Journal
	file    string
	note    note
	// lock is held as long as the create is under way; nil when there is no
	// note, or when another process has it.
	lock *flock.Flock
	// settledByOther says that the file has the note of a living process, for
	// whose object this create may be a second one.
	settledByOther bool
	interrupted    bool
}

// Begin notes that an object of that kind and id is about to be created with
// that content.
func (j *Journal) Begin(ctx context.Context, kind, id string, content any) *Entry {
	if j == nil {
		return &Entry{}
	}
	entry, err := j.begin(kind, id, content)
	if err != nil {
		tflog.Debug(ctx, "the create cannot be noted in the journal; should this process be killed, the next apply will find the object and not know it", map[string]any{"kind": kind, "id": id, "error": err.Error()})
		return &Entry{}
	}
	return entry
}

func (j *Journal) begin(kind, id string, content any) (*Entry, error) {
	text, err := json.Marshal(content)
	if err != nil {
		return nil, fmt.Errorf("encode the content: %w", err)
	}
	if err := os.MkdirAll(j.dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder: %w", withoutPath(err))
	}
	entry := &Entry{journal: j, file: j.file(kind, id), note: newNote(j.endpoint, kind, id, text)}
	if entry.lock, err = acquire(entry.file + ".lock"); err != nil {
		return nil, err
	}
	if entry.lock == nil {
		// Another process is creating the same object at this moment.
		return entry, nil
	}
	old := readNote(entry.file)
	if j.isAlive(old) {
		// Should this create fail because that object exists, the note has to
		// stay for the one who made it.
		entry.settledByOther = true
		return entry, nil
	}
	// A process that ends in order removes its notes before it gives its lock
	// back: only a note that is still there was left by a killed one.
	entry.interrupted = old.isAbout(text) && readNote(entry.file).Salt == old.Salt
	if err := entry.note.write(entry.file); err != nil {
		release(entry.lock)
		return nil, err
	}
	return entry, nil
}

// isAlive reports whether a note was settled by a process that lives.
func (j *Journal) isAlive(n note) bool {
	return n.Process != "" && !isFree(filepath.Join(j.dir, n.Process))
}

// Interrupted reports whether an earlier create of the same content was begun
// by this user on this machine and its outcome never came to be stored, because
// the CLI or the provider was killed: what exists by now is then most likely its
// work.
func (e *Entry) Interrupted() bool { return e.interrupted }

// Discard removes the note: nothing was created.
func (e *Entry) Discard() {
	if e.lock == nil {
		return
	}
	if !e.settledByOther {
		remove(e.file)
	}
	e.release()
}

// Close settles the note of a create whose outcome is handed to the CLI: it
// stays until the CLI will have stored that. Where the context of the call has
// been cancelled the note counts as interrupted at once: the CLI may be gone, so
// that nobody takes the outcome.
func (e *Entry) Close(ctx context.Context) {
	if e.lock == nil {
		return
	}
	defer e.release()
	// An object was created, so that the one of another's note is gone.
	var err error
	switch {
	case ctx.Err() == nil:
		err = e.journal.process.settle(e.file, e.note)
	case e.settledByOther:
		err = e.note.write(e.file)
	}
	if err != nil {
		remove(e.file)
		tflog.Debug(ctx, "the create cannot be noted in the journal any longer; should the CLI be killed before it stores its state, the next apply will find the object and not know it", map[string]any{"kind": e.note.Kind, "id": e.note.ID, "error": err.Error()})
	}
}

// Keep leaves the note, for an outcome that Terraform cannot keep: as if this
// process had been killed.
func (e *Entry) Keep() {
	if e.lock != nil {
		e.release()
	}
}

func (e *Entry) release() {
	release(e.lock)
	e.lock = nil
}

// Forget removes the note about an object that was deleted.
func (j *Journal) Forget(kind, id string) { j.forget(kind, id, func(note) bool { return true }) }

// Stored removes the note about an object that the CLI has read from its state.
// That of another living process stays, since its own CLI need not have it yet.
func (j *Journal) Stored(kind, id string) {
	j.forget(kind, id, func(n note) bool { return j.process.isOwn(j.file(kind, id), n) || !j.isAlive(n) })
}

func (j *Journal) forget(kind, id string, which func(note) bool) {
	if j == nil {
		return
	}
	file := j.file(kind, id)
	if _, err := os.Stat(file); err != nil {
		return
	}
	lock, err := acquire(file + ".lock")
	if err != nil || lock == nil {
		return
	}
	defer release(lock)
	if which(readNote(file)) {
		j.process.forget(file)
		remove(file)
	}
}

func (j *Journal) file(kind, id string) string {
	name := sha256.Sum256([]byte(j.endpoint + "\n" + kind + "\n" + id))
	return filepath.Join(j.dir, hex.EncodeToString(name[:16])+".json")
}
