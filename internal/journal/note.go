package journal

import (
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
)

// note is the content of a file. The digest is over the wanted content, with a
// salt: the content may hold secrets. The salt also tells notes apart.
type note struct {
	Endpoint string    `json:"endpoint"`
	Kind     string    `json:"kind"`
	ID       string    `json:"id"`
	Started  time.Time `json:"started"`
	Salt     string    `json:"salt"`
	Digest   string    `json:"digest"`
	// Process names the lock of the process that settled the note; "" as long
	// as the create is under way.
	Process string `json:"process,omitempty"`
}

func newNote(endpoint, kind, id string, content []byte) note {
	salt := rand.Text()
	return note{Endpoint: endpoint, Kind: kind, ID: id, Started: time.Now().UTC(), Salt: salt, Digest: digest(salt, content)}
}

func digest(salt string, content []byte) string {
	sum := sha256.Sum256(append([]byte(salt+"\n"), content...))
	return hex.EncodeToString(sum[:])
}

// isAbout reports whether a note is about that content.
func (n note) isAbout(content []byte) bool {
	return n.Digest != "" && subtle.ConstantTimeCompare([]byte(n.Digest), []byte(digest(n.Salt, content))) == 1
}

// readNote returns the zero note when there is none, or none that can be read.
func readNote(file string) (n note) {
	text, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(text, &n) != nil || filepath.Base(n.Process) != n.Process && n.Process != "" {
		return note{}
	}
	return n
}

// write replaces the note in one step: a killed process leaves all of it or
// nothing. The caller holds the lock of the file.
func (n note) write(file string) error {
	text, err := json.Marshal(n)
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

// remove removes a note, or makes it none where that is not allowed.
func remove(file string) {
	if os.Remove(file) != nil {
		_ = os.Truncate(file, 0)
	}
}

// withoutPath leaves out the path, which is long and names the user.
func withoutPath(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err
	}
	return err
}
