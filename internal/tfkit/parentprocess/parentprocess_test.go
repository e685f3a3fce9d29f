package parentprocess_test

import (
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/parentprocess"
)

// role is the environment variable with the role of a process in TestWatch.
const role = "PARENTPROCESS_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "provider":
		parentprocess.Watch()
		_, _ = os.Stdout.WriteString("started\n")
		time.Sleep(time.Minute)
		os.Exit(0)
	case "cli":
		provider := start("provider")
		provider.Stdout = os.Stdout
		_ = provider.Run()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func start(name string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), role+"="+name)
	return cmd
}

// TestWatch: a process whose parent is killed ends within seconds, and not
// before. It holds a pipe to this test open while it lives.
func TestWatch(t *testing.T) {
	t.Parallel()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cli := start("cli")
	cli.Stdout = write
	if err := cli.Start(); err != nil {
		t.Fatal(err)
	}
	_ = write.Close()
	if _, err := read.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		_, _ = io.Copy(io.Discard, read)
	}()
	select {
	case <-closed:
		t.Fatal("the process ended although its parent lives")
	case <-time.After(time.Second):
	}
	if err := cli.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cli.Wait()
	select {
	case <-closed:
	case <-time.After(5 * time.Second):
		t.Error("the process did not end with its parent")
	}
}
