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

// OpenTofuVersion is the version that is built if no CLI is installed.
const OpenTofuVersion = "1.12.6"

const openTofuModule = "github.com/opentofu/opentofu"

// progressEvery is the interval of progress messages. A build takes a few
// minutes; without messages it appears to hang.
const progressEvery = 10 * time.Second

// BuildOpenTofu downloads OpenTofu's Go module and builds it to path.
//
// "go install module@version" rejects this module because of its replace
// directives, so the build runs in the module's own directory, as in OpenTofu's
// releases.
func BuildOpenTofu(ctx context.Context, path string, log io.Writer) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	// A separate directory: concurrent builds do not interfere, and path is
	// always a complete program.
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

// downloadModule downloads a module and returns its directory in the module
// cache. work is a directory outside of any module, so that no go.mod applies.
func downloadModule(ctx context.Context, module, work string) (string, error) {
	cmd := goCommand(ctx, work, "mod", "download", "-json", module)
	out, err := cmd.Output()

	var response struct{ Dir, Error string }
	if decodeErr := json.Unmarshal(out, &response); decodeErr == nil && response.Error != "" {
		return "", fmt.Errorf("download %s: %s", module, response.Error)
	}
	if err != nil {
		return "", fmt.Errorf("download %s: %w", module, err)
	}
	if response.Dir == "" {
		return "", fmt.Errorf("download %s: no folder in the response of go mod download", module)
	}
	return response.Dir, nil
}

// compile builds OpenTofu and reports the progress.
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

// countPackages downloads the dependencies of the build and counts its
// packages. It returns 0 on an error, which the build then reports.
func countPackages(ctx context.Context, source string, log io.Writer) int {
	fmt.Fprintln(log, "  downloading the modules it needs ...")
	out, err := goCommand(ctx, source, "list", "-mod=readonly", "-deps", "./cmd/tofu").Output()
	if err != nil {
		return 0
	}
	return strings.Count(string(out), "\n")
}

// goCommand returns the go command without the caller's workspace and flags.
func goCommand(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=", "CGO_ENABLED=0")
	return cmd
}

// progress follows the output of "go build -v", which lists each package when
// it is compiled. Packages in the build cache are not listed.
type progress struct {
	log   io.Writer
	total int
	start time.Time

	mu       sync.Mutex
	compiled int
	messages []string
}

// read reads the build's output to its end. Package paths contain no space; all
// other lines are messages, which are kept for the error of a failed build.
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
	// A line that is too long to scan must not block the build.
	_, _ = io.Copy(io.Discard, output)
}

// report prints progress lines until the returned function is called.
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
