package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestStarts: .ci/starts counts the starts of a launched CLI by command, and fails if there are
// more than allowed; "version -json" does not start it again. The exit code of the tests is kept. It
// does not run beside other tests: a process that one of them is starting has the script open for a
// moment, which then cannot be executed (text file busy).
func TestStarts(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "the cli")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	launched, err := CLI{Path: program, Product: Terraform}.Launched(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	const starts = `"$0" version -json; "$0" plan "two words"; "$0" version; "$0" plan; `
	for name, test := range map[string]struct {
		limit, tests string
		code         int
		says         string
	}{
		"as many":         {limit: "3", tests: starts + "true", says: "Starts of the CLI: 3 of at most 3 (plan 2, version 1); "},
		"more":            {limit: "2", tests: starts + "true", code: 1, says: "Starts of the CLI: 3 of at most 2 (plan 2, version 1); "},
		"no limit":        {limit: "0", tests: starts + "true", says: "Starts of the CLI: 3 (plan 2, version 1); "},
		"none":            {limit: "2", tests: `"$0" version -json`, says: "Starts of the CLI: 0 of at most 2; "},
		"failed":          {limit: "3", tests: starts + "exit 7", code: 7, says: "Starts of the CLI: 3 of at most 3 "},
		"failed and more": {limit: "2", tests: starts + "exit 7", code: 7, says: "Too many: "},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), "../../../../.ci/starts", dir, test.limit, "sh", "-c", test.tests, launched.Path)
			out, err := cmd.CombinedOutput()
			if code := cmd.ProcessState.ExitCode(); code != test.code || !strings.Contains(string(out), test.says) {
				t.Errorf("exit code %d (%v): %s", code, err, out)
			}
		})
	}
}
