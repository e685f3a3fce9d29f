package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// OpenTofuVersion is the OpenTofu that is built where a machine has no CLI.
const OpenTofuVersion = "1.12.6"

const openTofuModule = "github.com/opentofu/opentofu"

// progressEvery is the time between two lines of progress. A build takes a few
// minutes; without a sign of life it looks stuck.
const progressEvery = 10 * time.Second

// BuildOpenTofu downloads OpenTofu's Go module and builds it to path.
//
// "go install module@version" refuses this module because of its replace
// directives, so the build runs in the module's own folder, as its authors'
// build does.
func BuildOpenTofu(ctx context.Context, path string, log io.Writer) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	// A folder of its own: two builds at once do not disturb each other, and
	// path is only ever a complete program.
	work, err := os.MkdirTemp(filepath.Dir(path), "opentofu-build-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)

	fmt.Fprintf(log, "No Terraform or OpenTofu here: building OpenTofu %s from its Go module into %s.\n", OpenTofuVersion, path)
	fmt.Fprintln(log, "This happens once and takes about five minutes on two cores.")

	source, err := downloadModule(ctx, openTofuModule+"@v"+OpenTofuVersion, work)
	if err != nil {
		return err
	}
	program := filepath.Join(work, "tofu")
	start := time.Now()
	if err := compile(ctx, source, program, log); err != nil {
		return err
	}
	if err := os.Rename(program, path); err != nil {
		return err
	}
	fmt.Fprintf(log, "OpenTofu %s built in %s.\n", OpenTofuVersion, time.Since(start).Round(time.Second))
	return nil
}

// downloadModule fetches a module and returns the folder it was unpacked into.
// work is any folder outside a module, so that no go.mod has a say.
func downloadModule(ctx context.Context, module, work string) (string, error) {
	cmd := goCommand(ctx, work, "mod", "download", "-json", module)
	out, err := cmd.Output()

	var answer struct{ Dir, Error string }
	if decodeErr := json.Unmarshal(out, &answer); decodeErr == nil && answer.Error != "" {
		return "", fmt.Errorf("download %s: %s", module, answer.Error)
	}
	if err != nil {
		return "", fmt.Errorf("download %s: %w", module, err)
	}
	if answer.Dir == "" {
		return "", fmt.Errorf("download %s: no folder in the answer of go mod download", module)
	}
	return answer.Dir, nil
}

// compile builds OpenTofu and reports how far it is.
func compile(ctx context.Context, source, program string, log io.Writer) error {
	total := countPackages(ctx, source, log)

	cmd := goCommand(ctx, source, "build", "-v", "-mod=readonly", "-buildvcs=false", "-trimpath",
		"-ldflags", "-s -w -X "+openTofuModule+"/version.dev=no", "-o", program, "./cmd/tofu")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}

	p := &progress{log: log, total: total, start: time.Now()}
	stop := p.report()
	p.read(stderr)
	stop()
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, strings.Join(p.messages, "\n"))
	}
	return nil
}

// countPackages downloads what the build needs and counts its packages; 0 when
// that cannot be told (the build then says what is wrong).
func countPackages(ctx context.Context, source string, log io.Writer) int {
	fmt.Fprintln(log, "  downloading the modules it needs ...")
	out, err := goCommand(ctx, source, "list", "-mod=readonly", "-deps", "./cmd/tofu").Output()
	if err != nil {
		return 0
	}
	return strings.Count(string(out), "\n")
}

// goCommand is the go command, free of the caller's workspace and flags.
func goCommand(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=", "CGO_ENABLED=0")
	return cmd
}

// progress follows the output of "go build -v", which names each package as it
// is compiled. Packages in the build cache are not named.
type progress struct {
	log   io.Writer
	total int
	start time.Time

	mu       sync.Mutex
	compiled int
	messages []string
}

// read takes in the build's output until its end. Package paths have no space;
// anything else is a message, kept for the case that the build fails.
func (p *progress) read(output io.Reader) {
	lines := bufio.NewScanner(output)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		p.mu.Lock()
		if strings.ContainsAny(line, " \t#") {
			p.messages = append(p.messages, line)
		} else {
			p.compiled++
		}
		p.mu.Unlock()
	}
	// A line too long to scan must not block the build.
	_, _ = io.Copy(io.Discard, output)
}

// report prints a line now and then until the returned function is called.
func (p *progress) report() (stop func()) {
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
				fmt.Fprintln(p.log, p.line(time.Since(p.start)))
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
	return fmt.Sprintf("  compiling OpenTofu: %s, %d%s packages", elapsed.Round(time.Second), p.compiled, of)
}
