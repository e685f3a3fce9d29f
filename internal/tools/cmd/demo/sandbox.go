//go:build unix

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/workspace"
)

// sandboxStart is the time limit for the start of the sandbox.
const sandboxStart = 20 * time.Second

// sandbox is a running sandbox Kuscia.
type sandbox struct {
	endpoint string
	certsDir string

	cmd  *exec.Cmd
	stop context.CancelFunc
}

// startSandbox starts the sandbox binary and waits until it listens.
func startSandbox(ctx context.Context, binary, certsDir string) (*sandbox, error) {
	// The sandbox must outlive ctx: an interrupted CLI still sends requests
	// while it exits.
	life, stop := context.WithCancel(context.WithoutCancel(ctx))
	s := &sandbox{certsDir: certsDir, stop: stop}
	s.cmd = exec.CommandContext(life, binary, "--listen", "127.0.0.1:0", "--ief", "127.0.0.1:0", "--protocol", "MTLS", "--certs-dir", certsDir)
	s.cmd.Dir = filepath.Dir(binary)
	output, err := s.cmd.StdoutPipe()
	if err == nil {
		s.cmd.Stderr = s.cmd.Stdout
		err = workspace.Start(s.cmd)
	}
	if err != nil {
		stop()
		return nil, fmt.Errorf("start the sandbox: %w", err)
	}

	endpoint, printed := watch(output)
	select {
	case s.endpoint = <-endpoint:
		return s, nil
	case text := <-printed:
		return nil, errors.Join(fmt.Errorf("the sandbox ended before it listened:\n%s", text), s.close())
	case <-time.After(sandboxStart):
		return nil, errors.Join(fmt.Errorf("the sandbox did not listen within %s", sandboxStart), s.close())
	case <-ctx.Done():
		return nil, errors.Join(ctx.Err(), s.close())
	}
}

// endpointLine matches the provider configuration that the sandbox prints.
var endpointLine = regexp.MustCompile(`endpoint\s*=\s*"(https?://[^"]+)"`)

// watch reads the sandbox's output to its end. It sends the endpoint when it is
// printed, and the complete output at the end.
func watch(output io.Reader) (endpoint, printed <-chan string) {
	found, all := make(chan string, 1), make(chan string, 1)
	go func() {
		var text strings.Builder
		announced := false
		lines := bufio.NewScanner(output)
		for lines.Scan() {
			fmt.Fprintln(&text, lines.Text())
			if match := endpointLine.FindStringSubmatch(lines.Text()); match != nil && !announced {
				announced = true
				found <- match[1]
			}
		}
		_, _ = io.Copy(io.Discard, output)
		all <- text.String()
	}()
	return found, all
}

// close stops the sandbox and waits until it has exited.
func (s *sandbox) close() error {
	s.stop()
	err := workspace.Reap(s.cmd)
	if errors.Is(err, context.Canceled) {
		return nil
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil // ended by the interrupt, as intended
	}
	return err
}
