package journal

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

type content struct{ Config string }

var wanted = content{"planted-storage-key"}

func begin(t *testing.T, dir string, c content) *Entry {
	t.Helper()
	return beginIn(t, shared, dir, c)
}

// beginIn begins a create in one of several processes.
func beginIn(t *testing.T, p *Process, dir string, c content) *Entry {
	t.Helper()
	return p.Journal(dir, "http://kuscia").Begin(t.Context(), "serving", "glm", c)
}

// abandon is what a killed process leaves: the note, and no lock.
func (e *Entry) abandon(t *testing.T) {
	t.Helper()
	if err := e.lock.Close(); err != nil {
		t.Fatal(err)
	}
	e.lock = nil
}

func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			names = append(names, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	first := begin(t, dir, wanted)
	if first.Interrupted() {
		t.Error("there was nothing before")
	}
	first.abandon(t)

	second := begin(t, dir, wanted)
	if !second.Interrupted() {
		t.Error("the killed create of the same content was not noticed")
	}
	second.Discard()
	if left := files(t, dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}

	third := begin(t, dir, wanted)
	defer third.Discard()
	if third.Interrupted() {
		t.Error("the one before came to its end")
	}
}

func TestOtherCreatesAreNotOurs(t *testing.T) {
	dir := t.TempDir()
	begin(t, dir, wanted).abandon(t)
	for name, entry := range map[string]*Entry{
		"content":  begin(t, dir, content{"other"}),
		"id":       New(dir, "http://kuscia").Begin(t.Context(), "serving", "other", wanted),
		"kind":     New(dir, "http://kuscia").Begin(t.Context(), "appimage", "glm", wanted),
		"endpoint": New(dir, "http://other").Begin(t.Context(), "serving", "glm", wanted),
	} {
		if entry.Interrupted() {
			t.Errorf("another %s is taken for the interrupted create", name)
		}
		entry.Discard()
	}
}

// When the CLI is killed the call is cancelled, and nobody takes its outcome.
func TestCancelledCall(t *testing.T) {
	dir := t.TempDir()
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	begin(t, dir, wanted).Close(cancelled)
	next := begin(t, dir, wanted)
	if !next.Interrupted() {
		t.Error("the outcome of the cancelled call was lost")
	}
	next.Close(cancelled)

	New(dir, "http://kuscia").Forget("serving", "glm")
	if left := files(t, dir); len(left) > 0 {
		t.Errorf("not forgotten: %v", left)
	}
}

// As long as the process that began it lives, the create is not interrupted.
func TestAliveIsNotInterrupted(t *testing.T) {
	dir := t.TempDir()
	begin(t, dir, wanted).abandon(t)
	alive := begin(t, dir, wanted)
	beside := begin(t, dir, wanted)
	if !alive.Interrupted() || beside.Interrupted() {
		t.Errorf("alive %t, beside it %t", alive.Interrupted(), beside.Interrupted())
	}
	beside.Discard()
	if len(files(t, dir)) == 0 {
		t.Error("the note of another was removed")
	}
	alive.Discard()
}

// Of many that find the same interrupted create, one at a time takes it over,
// and after its end nobody does.
func TestOneTakesOver(t *testing.T) {
	dir := t.TempDir()
	begin(t, dir, wanted).abandon(t)
	var took atomic.Int32
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			entry := begin(t, dir, wanted)
			if entry.Interrupted() {
				took.Add(1)
				time.Sleep(time.Millisecond)
			}
			entry.Close(t.Context())
		})
	}
	all.Wait()
	if took.Load() != 1 {
		t.Errorf("%d took it over", took.Load())
	}
	shared.End()
	if left := files(t, dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestNoSecretInTheNote(t *testing.T) {
	dir := t.TempDir()
	entry := begin(t, dir, wanted)
	defer entry.Discard()
	for _, file := range files(t, dir) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), wanted.Config) {
			t.Errorf("%s holds the content", file)
		}
		if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s can be read by others: %v, %v", file, info.Mode(), err)
		}
	}
}

func TestWithoutAJournal(t *testing.T) {
	var none *Journal
	entry := none.Begin(t.Context(), "serving", "glm", wanted)
	if entry.Interrupted() {
		t.Error("no journal knows nothing")
	}
	entry.Close(t.Context())

	// A folder that cannot be made.
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	entry = begin(t, file, wanted)
	if entry.Interrupted() {
		t.Error("no journal knows nothing")
	}
	entry.Close(t.Context())
}

func TestDamagedNote(t *testing.T) {
	for _, text := range []string{"", "{", "[]", `{"digest":""}`, `{"salt":1}`} {
		dir := t.TempDir()
		entry := begin(t, dir, wanted)
		if err := os.WriteFile(entry.file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		entry.abandon(t)
		next := begin(t, dir, wanted)
		if next.Interrupted() {
			t.Errorf("%q was taken for a note", text)
		}
		next.Discard()
	}
}

// TestKilledProcess kills a real process in the middle of its create.
func TestKilledProcess(t *testing.T) {
	const variable = "JOURNAL_TEST_DIR"
	if dir := os.Getenv(variable); dir != "" { // the process to be killed
		begin(t, dir, wanted)
		_, _ = os.Stdout.WriteString("begun\n")
		time.Sleep(time.Minute)
		return
	}
	dir := t.TempDir()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	victim := exec.CommandContext(t.Context(), program, "-test.run=^TestKilledProcess$")
	victim.Env = append(os.Environ(), variable+"="+dir)
	output, err := victim.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := output.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	if entry := begin(t, dir, wanted); entry.Interrupted() {
		t.Error("its process is alive")
	}
	if err := victim.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = victim.Wait()
	entry := begin(t, dir, wanted)
	defer entry.Discard()
	if !entry.Interrupted() {
		t.Error("its process was killed")
	}
}

// What Terraform cannot keep is kept here, as after a killed process; a later
// close changes nothing.
func TestKeep(t *testing.T) {
	dir := t.TempDir()
	first := begin(t, dir, wanted)
	first.Keep()
	first.Close(t.Context())
	second := begin(t, dir, wanted)
	if !second.Interrupted() {
		t.Error("the note is gone")
	}
	second.Close(t.Context())
	if third := begin(t, dir, wanted); third.Interrupted() {
		t.Error("the note outlives a create that came to its end")
	}
	(&Entry{}).Keep()
}
