package journal

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// Journal has the notes about one server. A nil Journal notes nothing.
type Journal struct {
	dir, endpoint string
}

// New returns the journal for a server, kept in a folder below the user's cache
// folder, such as os.UserCacheDir returns.
func New(cacheDir, endpoint string) *Journal {
	return &Journal{dir: filepath.Join(cacheDir, "terraform-provider-kuscia", "creating"), endpoint: endpoint}
}

// Entry is the note about one create. Close it once the outcome is Terraform's
// to keep.
type Entry struct {
	file string
	// lock is held as long as the create is under way; nil when there is no
	// note, or when another process has it.
	lock        *flock.Flock
	interrupted bool
}

// note is the content of a file. The digest is over the wanted content, with a
// salt: the content may hold secrets.
type note struct {
	Endpoint string    `json:"endpoint"`
	Kind     string    `json:"kind"`
	ID       string    `json:"id"`
	Started  time.Time `json:"started"`
	Salt     string    `json:"salt"`
	Digest   string    `json:"digest"`
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
		return nil, fmt.Errorf("make the folder: %w", err)
	}
	entry := &Entry{file: j.file(kind, id)}
	if entry.lock, err = acquire(entry.file + ".lock"); err != nil {
		return nil, err
	}
	if entry.lock == nil {
		// Another process is creating the same object at this moment.
		return entry, nil
	}
	entry.interrupted = isAbout(entry.file, text)
	if err := j.write(entry.file, kind, id, text); err != nil {
		return nil, errors.Join(err, entry.lock.Close())
	}
	return entry, nil
}

// Interrupted reports whether an earlier create of the same content was begun
// by this user on this machine and never came to its end, because its process
// was killed: what exists by now is then most likely its work.
func (e *Entry) Interrupted() bool { return e.interrupted }

// Close removes the note. Where the context of the call has been cancelled the
// note stays: the CLI may be gone, so that nobody takes the outcome.
func (e *Entry) Close(ctx context.Context) {
	if e.lock == nil {
		return
	}
	if ctx.Err() == nil {
		remove(e.file)
		_ = os.Remove(e.lock.Path())
	}
	e.Keep()
}

// Keep leaves the note, for an outcome that Terraform cannot keep: as if this
// process had been killed.
func (e *Entry) Keep() {
	if e.lock == nil {
		return
	}
	_ = e.lock.Close()
	e.lock = nil
}

// Forget removes the note about an object that was deleted.
func (j *Journal) Forget(kind, id string) {
	if j == nil {
		return
	}
	if _, err := os.Stat(j.file(kind, id)); err != nil {
		return
	}
	entry := &Entry{file: j.file(kind, id)}
	var err error
	if entry.lock, err = acquire(entry.file + ".lock"); err == nil {
		entry.Close(context.Background())
	}
}

// remove removes a note, or makes it none where that is not allowed.
func remove(file string) {
	if os.Remove(file) != nil {
		_ = os.Truncate(file, 0)
	}
}

func (j *Journal) file(kind, id string) string {
	name := sha256.Sum256([]byte(j.endpoint + "\n" + kind + "\n" + id))
	return filepath.Join(j.dir, hex.EncodeToString(name[:16])+".json")
}

// acquire takes a lock, or returns nil when a living process has it.
func acquire(path string) (*flock.Flock, error) {
	for {
		lock := flock.New(path)
		locked, err := lock.TryLock()
		if err != nil {
			return nil, fmt.Errorf("lock %s: %w", filepath.Base(path), err)
		}
		if !locked {
			return nil, nil
		}
		// Whoever had it before may have removed the file in between; then this
		// is the lock of a file that nobody else will find.
		if isStill(path, lock) {
			return lock, nil
		}
		if err := lock.Close(); err != nil {
			return nil, fmt.Errorf("unlock %s: %w", filepath.Base(path), err)
		}
	}
}

func isStill(path string, lock *flock.Flock) bool {
	held, err := lock.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(path)
	return err == nil && os.SameFile(held, there)
}

// isAbout reports whether there is a note about that content.
func isAbout(file string, content []byte) bool {
	text, err := os.ReadFile(file)
	if err != nil {
		return false
	}
	var old note
	if json.Unmarshal(text, &old) != nil || old.Digest == "" {
		return false
	}
	return subtle.ConstantTimeCompare([]byte(old.Digest), []byte(digest(old.Salt, content))) == 1
}

func digest(salt string, content []byte) string {
	sum := sha256.Sum256(append([]byte(salt+"\n"), content...))
	return hex.EncodeToString(sum[:])
}

// write replaces the note in one step: a killed process leaves all of it or
// nothing.
func (j *Journal) write(file, kind, id string, content []byte) error {
	salt := rand.Text()
	text, err := json.Marshal(note{Endpoint: j.endpoint, Kind: kind, ID: id, Started: time.Now().UTC(), Salt: salt, Digest: digest(salt, content)})
	if err != nil {
		return fmt.Errorf("encode the note: %w", err)
	}
	temporary := file + ".new"
	if err := os.WriteFile(temporary, text, 0o600); err != nil {
		return fmt.Errorf("write the note: %w", withoutPath(err))
	}
	if err := os.Rename(temporary, file); err != nil {
		return fmt.Errorf("write the note: %w", withoutPath(err))
	}
	return nil
}

// withoutPath leaves out the path, which is long and names the user.
func withoutPath(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err
	}
	return err
}
