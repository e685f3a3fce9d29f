package journal

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func settle(t *testing.T, p *Process, dir string) {
	t.Helper()
	beginIn(t, p, dir, wanted).Close(t.Context())
}

func wantInterrupted(t *testing.T, p *Process, dir string, want bool) {
	t.Helper()
	entry := beginIn(t, p, dir, wanted)
	if entry.Interrupted() != want {
		t.Errorf("interrupted is %t", entry.Interrupted())
	}
	entry.Discard()
}

func wantNoFiles(t *testing.T, dir string) {
	t.Helper()
	if left := files(t, dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// The create has returned, and the CLI had not stored its outcome when both
// were killed.
func TestKilledAfterTheCreate(t *testing.T) {
	dir := t.TempDir()
	killed, next := NewProcess(), NewProcess()
	settle(t, killed, dir)
	killed.abandon()

	entry := beginIn(t, next, dir, wanted)
	if !entry.Interrupted() {
		t.Error("the object of the killed process is not known any more")
	}
	entry.Close(t.Context())
	wantInterrupted(t, NewProcess(), dir, false) // it is the next one's by now
	next.End()
	wantInterrupted(t, NewProcess(), dir, false)
	wantNoFiles(t, dir)
}

// Another apply finds the id taken, while the first still runs and after it
// has ended in order. The first may be killed later all the same.
func TestTheOtherApplyDoesNotAdopt(t *testing.T) {
	dir := t.TempDir()
	first, second := NewProcess(), NewProcess()
	settle(t, first, dir)
	wantInterrupted(t, second, dir, false)
	wantInterrupted(t, first, dir, false)
	first.abandon()
	wantInterrupted(t, second, dir, true) // which took it over

	settle(t, first, dir)
	first.End()
	wantInterrupted(t, second, dir, false)
	wantNoFiles(t, dir)
}

// Many look at the notes of a killed process at the same time, each at its own.
func TestManyFindOneProcessKilled(t *testing.T) {
	dir := t.TempDir()
	killed, next := NewProcess(), NewProcess()
	begin := func(p *Process, i int) *Entry {
		return p.Journal(dir, "http://kuscia").Begin(t.Context(), "serving", fmt.Sprint(i), wanted)
	}
	for i := range 100 {
		begin(killed, i).Close(t.Context())
	}
	killed.abandon()
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			entry := begin(next, i)
			if !entry.Interrupted() {
				t.Errorf("%d is not known any more", i)
			}
			entry.Close(t.Context())
		})
	}
	all.Wait()
	next.End()
	wantNoFiles(t, dir)
}

// While one process ends in order and others look, nobody adopts.
func TestNobodyAdoptsAtTheEnd(t *testing.T) {
	for range 50 {
		dir := t.TempDir()
		first := NewProcess()
		settle(t, first, dir)
		var all sync.WaitGroup
		all.Go(first.End)
		for range 4 {
			all.Go(func() { wantInterrupted(t, NewProcess(), dir, false) })
		}
		all.Wait()
		wantNoFiles(t, dir)
	}
}

// The object was deleted by something that knows no journal, and created again
// by another process: only that one's note counts.
func TestSecondCreateSucceeds(t *testing.T) {
	dir := t.TempDir()
	first, second := NewProcess(), NewProcess()
	settle(t, first, dir)
	settle(t, second, dir)
	first.End()
	second.abandon()
	wantInterrupted(t, first, dir, true)

	// The same, and the second call is cancelled.
	settle(t, first, dir)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	beginIn(t, second, dir, wanted).Close(cancelled)
	first.End()
	wantInterrupted(t, second, dir, true)
	wantNoFiles(t, dir)
}

func TestCreateAgainAfterDelete(t *testing.T) {
	dir := t.TempDir()
	p := NewProcess()
	j := p.Journal(dir, "http://kuscia")
	for range 3 {
		settle(t, p, dir)
		j.Forget("serving", "glm")
		wantNoFiles(t, dir)
	}
	settle(t, p, dir)
	p.abandon()
	wantInterrupted(t, NewProcess(), dir, true)

	// A delete by another process.
	settle(t, p, dir)
	NewProcess().Journal(dir, "http://kuscia").Forget("serving", "glm")
	p.abandon()
	wantInterrupted(t, NewProcess(), dir, false)
	wantNoFiles(t, dir)
}

func TestStored(t *testing.T) {
	dir := t.TempDir()
	p, other := NewProcess(), NewProcess()
	settle(t, p, dir)
	other.Journal(dir, "http://kuscia").Stored("serving", "glm")
	if len(files(t, dir)) == 0 {
		t.Error("another process removed the note, whose CLI may not have stored the object")
	}
	p.Journal(dir, "http://kuscia").Stored("serving", "glm")
	wantNoFiles(t, dir)

	settle(t, p, dir)
	p.abandon()
	other.Journal(dir, "http://kuscia").Stored("serving", "glm")
	wantInterrupted(t, other, dir, false)
	wantNoFiles(t, dir)
}

// A server inside of another process is never ended.
func TestNotesWithoutAnEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		p := &Process{keep: 30 * time.Second}
		settle(t, p, dir)
		time.Sleep(29 * time.Second)
		settle(t, p, dir) // the note of another object of the same id
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if len(files(t, dir)) == 0 {
			t.Error("the timer of the first note removed the second")
		}
		time.Sleep(30 * time.Second)
		synctest.Wait()
		wantNoFiles(t, dir)
	})
}

// A thousand objects hold one lock.
func TestOneLockForAll(t *testing.T) {
	dir := t.TempDir()
	p := NewProcess()
	for i := range 1000 {
		p.Journal(dir, "http://kuscia").Begin(t.Context(), "serving", fmt.Sprint(i), wanted).Close(t.Context())
	}
	if n := len(files(t, dir)); n != 1001 {
		t.Errorf("%d files", n)
	}
	if open, err := os.ReadDir("/proc/self/fd"); err == nil && len(open) > 100 {
		t.Errorf("%d files are open", len(open))
	}
	p.End()
	wantNoFiles(t, dir)
}

// TestKilledParent kills the parent of a process that lives on.
func TestKilledParent(t *testing.T) {
	const variable = "JOURNAL_TEST_PARENT"
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := os.Getenv(variable)
	start := func(role, dir string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), program, "-test.run=^TestKilledParent$")
		cmd.Env = append(os.Environ(), variable+"="+dir, "JOURNAL_TEST_ROLE="+role)
		return cmd
	}
	switch {
	case os.Getenv("JOURNAL_TEST_ROLE") == "provider":
		settle(t, NewProcess(), dir)
		_, _ = os.Stdout.WriteString("settled\n")
		time.Sleep(10 * time.Second)
		return
	case dir != "": // the CLI
		provider := start("provider", dir)
		provider.Stdout = os.Stdout
		_ = provider.Run()
		return
	}
	if os.Getppid() == 0 || os.PathSeparator == '\\' {
		t.Skip("a process keeps the number of its parent")
	}
	dir = t.TempDir()
	cli := start("cli", dir)
	output, err := cli.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cli.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := output.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	entry := begin(t, dir, wanted)
	if entry.Interrupted() {
		t.Error("its CLI is alive")
	}
	entry.Discard()
	if err := cli.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cli.Wait()
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		entry := begin(t, dir, wanted)
		interrupted := entry.Interrupted()
		entry.Discard()
		if interrupted {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the provider without a CLI keeps the note")
		}
	}
}
