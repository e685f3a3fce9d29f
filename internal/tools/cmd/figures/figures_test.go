package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// write makes a file of a test, with the folders above it.
func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Output and exit code are those of the command; seconds of several runs of a package are
// added; starts before the run are not counted.
func TestRun(t *testing.T) {
	t.Parallel()
	bin, root := t.TempDir(), t.TempDir()
	write(t, filepath.Join(bin, "launch-terraform.starts"), "plan\n")
	write(t, filepath.Join(root, "main.go"), "package main\n\nfunc main() {}\n")
	write(t, filepath.Join(root, "a/b/b_test.go"), "package b\n")
	write(t, filepath.Join(root, "a/b/testdata/x.go"), "package x\n")
	output := strings.Join([]string{
		"--- FAIL: TestX (0.00s)",
		"ok  \t" + modulePath + "\t1.250s",
		"ok  \t" + modulePath + "/a/b\t2.000s [no tests to run]",
		"FAIL\t" + modulePath + "/a/b\t0.500s",
		"ok  \t" + modulePath + "/a/c\t(cached)",
		"?   \t" + modulePath + "/a/d\t[no test files]",
		"ok  \texample.com/other\t9.000s",
		"",
	}, "\n")
	write(t, filepath.Join(root, "output"), output)
	script := `cat "$0"/output; printf 'apply\nplan\n' >"$1"/launch-terraform.starts; echo plan >"$1"/launch-opentofu.starts; exit 3`

	var printed bytes.Buffer
	code, err := run(bin, root, true, []string{"sh", "-c", script, root, bin}, &printed)
	if err != nil || code != 3 {
		t.Errorf("code %d, %v", code, err)
	}
	want := output + strings.Join([]string{
		"package  product lines  test lines  seconds",
		".        3              0           1.2",
		"a/b      0              1           2.5",
		"all      3              1           3.8",
		"Starts of the CLI: 3 (apply 1, plan 2). Not counted are those of 1 cached results; make test-figures uses none.",
		"",
	}, "\n")
	if printed.String() != want {
		t.Errorf("printed:\n%s\nwant:\n%s", &printed, want)
	}

	printed.Reset()
	code, err = run(bin, root, false, []string{"true"}, &printed)
	if err != nil || code != 0 || printed.String() != "Starts of the CLI: 0\n" {
		t.Errorf("without tests: %q, code %d, %v", &printed, code, err)
	}
	if code, err := run(bin, root, false, []string{filepath.Join(bin, "missing")}, &printed); err == nil || code == 0 {
		t.Error("a missing command succeeded")
	}
}
