// Package gobuild compiles Go programs and reports the progress: on a machine that has
// compiled nothing yet, a build takes minutes, and without messages it appears to hang.
package gobuild

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// progressEvery is the interval of progress messages.
const progressEvery = 5 * time.Second

// Program is a main package.
type Program struct {
	// Name is its name in messages.
	Name string
	// Dir is a folder of its module, Package the package, and Output the file to write.
	Dir, Package, Output string
	// Flags are further flags of go build.
	Flags []string
	// Env is the environment of the go command, nil for that of this process.
	Env []string
	// Log receives the progress.
	Log io.Writer
	// Run runs a command to its end.
	Run func(*exec.Cmd) error
}

// Build downloads the modules that the program needs and compiles it.
func (p Program) Build(ctx context.Context) error {
	var packages bytes.Buffer
	if err := p.goCommand(ctx, "modules downloaded", 0, &packages, "list", "-deps", p.Package); err != nil {
		return err
	}
	args := append([]string{"build", "-v", "-buildvcs=false", "-o", p.Output}, p.Flags...)
	return p.goCommand(ctx, "packages compiled", strings.Count(packages.String(), "\n"), nil, append(args, p.Package)...)
}

// goCommand runs the go command. The progress is the number of what it lists on its
// standard error, of at most total, if that is known.
func (p Program) goCommand(ctx context.Context, what string, total int, stdout io.Writer, args ...string) error {
	listed := &progress{name: p.Name, what: what, total: total, start: time.Now()}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = p.Dir, p.Env
	cmd.Stdout, cmd.Stderr = stdout, listed
	stop := listed.report(p.Log)
	err := p.Run(cmd)
	stop()
	if err != nil {
		return fmt.Errorf("go %s %s: %w\n%s", args[0], p.Package, errors.Join(err, ctx.Err()), strings.Join(listed.messages, "\n"))
	}
	return nil
}

// progress follows the standard error of the go command, which lists each module that it
// downloads, and with "build -v" each package that it compiles. What is in its caches is
// not listed.
type progress struct {
	name, what string
	total      int
	start      time.Time

	mu         sync.Mutex
	listed     int
	incomplete []byte
	messages   []string
}

const downloading = "go: downloading "

// Write counts what is listed. Package paths contain no space; all other lines are
// messages, which are kept for the error of a failed build.
func (p *progress) Write(output []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	lines := bytes.Split(append(p.incomplete, output...), []byte("\n"))
	p.incomplete = lines[len(lines)-1]
	for _, line := range lines[:len(lines)-1] {
		if text := string(line); !strings.HasPrefix(text, downloading) && strings.ContainsAny(text, " \t#") {
			p.messages = append(p.messages, text)
			continue
		}
		p.listed++
	}
	return len(output), nil
}

// report prints progress lines until the returned function is called.
func (p *progress) report(log io.Writer) (stop func()) {
	done := make(chan struct{})
	var finished sync.WaitGroup
	finished.Go(func() {
		ticker := time.NewTicker(progressEvery)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				fmt.Fprintln(log, p.line(time.Since(p.start)))
			}
		}
	})
	return func() { close(done); finished.Wait() }
}

func (p *progress) line(elapsed time.Duration) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	of := ""
	if p.total > 0 {
		of = fmt.Sprintf(" of at most %d", p.total)
	}
	return fmt.Sprintf("   %s: %d%s %s, %s", p.name, p.listed, of, p.what, elapsed.Round(time.Second))
}
