package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// launcherText starts a CLI. terraform-plugin-testing runs "version -json" twice in every
// test, which takes half as much processor time as a plan: that is answered with the
// output of the first time. Several CLIs run at a time, so that one processor is enough
// for each, and takes it a tenth less time than two. Providers that it starts have one
// as well. Each start is a line in a file beside the script, which .ci/starts counts. Its name
// is not in the environment, since some tests start the CLI without theirs.
const launcherText = `#!/bin/sh
if [ "$*" = "version -json" ]; then
	cat %s
else
	printf '%%s\n' "$1" >>%s
	GOMAXPROCS=1 exec %s "$@"
fi
`

// Launched is the same CLI behind a script that it writes into a directory, for
// acceptance tests. On Windows it is the CLI itself.
func (c CLI) Launched(ctx context.Context, dir string) (CLI, error) {
	if runtime.GOOS == "windows" {
		return c, nil
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return CLI{}, err
	}
	name := filepath.Join(dir, "launch-"+strings.ToLower(string(c.Product)))
	if c.Path == name { // from the environment of an earlier call; it must not start itself
		return c, nil
	}
	cmd := exec.CommandContext(ctx, c.Path, "version", "-json")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), neutral()...)
	output, err := cmd.Output()
	if err != nil {
		return CLI{}, fmt.Errorf("%s version -json: %w", c.Path, err)
	}
	if err := replaceFile(name+".json", output, 0o644); err != nil {
		return CLI{}, err
	}
	script := fmt.Sprintf(launcherText, ShellQuote(name+".json"), ShellQuote(name+".starts"), ShellQuote(c.Path))
	if err := replaceFile(name, []byte(script), 0o755); err != nil {
		return CLI{}, err
	}
	c.Path = name
	return c, nil
}

// replaceFile writes a file that other processes may be using, unless it has the
// content already.
func replaceFile(path string, content []byte, mode os.FileMode) error {
	if now, err := os.ReadFile(path); err == nil && bytes.Equal(now, content) {
		return nil
	}
	temporary := fmt.Sprintf("%s.%d", path, os.Getpid())
	if err := os.WriteFile(temporary, content, mode); err != nil {
		return err
	}
	return os.Rename(temporary, path)
}

// ShellQuote quotes any text as a word for a POSIX shell.
func ShellQuote(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
