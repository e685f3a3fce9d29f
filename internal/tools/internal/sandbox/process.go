//go:build unix

// Package sandbox runs the program kuscia-sandbox.
package sandbox

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

// startTimeout is the time limit for the start.
const startTimeout = 20 * time.Second

// Process is a running sandbox.
type Process struct {
	// Endpoint is the address of the KusciaAPI, CertsDir the folder of its
	// certificates and its token.
	Endpoint, CertsDir string
	// Edge is the block ief of the provider block for the simulated IEF; "" if
	// there is none.
	Edge string

	cmd  *exec.Cmd
	stop context.CancelFunc
}

// Start starts the program on a free port with protocol MTLS, and waits until it
// listens. more are additional flags. The caller closes it: it outlives the
// context, since an interrupted CLI still sends requests while it exits.
func Start(ctx context.Context, binary, certsDir string, more ...string) (*Process, error) {
	life, stop := context.WithCancel(context.WithoutCancel(ctx))
	p := &Process{CertsDir: certsDir, stop: stop}
	p.cmd = exec.CommandContext(life, binary, append([]string{"--listen", "127.0.0.1:0", "--protocol", "MTLS", "--certs-dir", certsDir}, more...)...)
	p.cmd.Dir = filepath.Dir(binary)
	output, err := p.cmd.StdoutPipe()
	if err == nil {
		p.cmd.Stderr = p.cmd.Stdout
		err = workspace.Start(p.cmd)
	}
	if err != nil {
		stop()
		return nil, fmt.Errorf("start the sandbox: %w", err)
	}
	block := make(chan providerBlock, 1)
	go func() {
		block <- readProviderBlock(output)
		_, _ = io.Copy(io.Discard, output)
	}()
	select {
	case printed := <-block:
		if p.Endpoint, p.Edge = printed.endpoint, printed.edge; p.Endpoint == "" {
			return nil, errors.Join(fmt.Errorf("the sandbox ended before it listened:\n%s", printed.text), p.Close())
		}
		return p, nil
	case <-time.After(startTimeout):
		return nil, errors.Join(fmt.Errorf("the sandbox did not listen within %s", startTimeout), p.Close())
	case <-ctx.Done():
		return nil, errors.Join(ctx.Err(), p.Close())
	}
}

// Close stops the sandbox and waits until it has exited.
func (p *Process) Close() error {
	p.stop()
	err := workspace.Reap(p.cmd)
	var exit *exec.ExitError
	if errors.Is(err, context.Canceled) || errors.As(err, &exit) {
		return nil // ended by the interrupt, as intended
	}
	return err
}

// providerBlock is what the sandbox prints once it listens.
type providerBlock struct{ text, endpoint, edge string }

var endpointLine = regexp.MustCompile(`endpoint\s*=\s*"(https?://[^"]+)"`)

// readProviderBlock reads a provider block to its end. Without an endpoint, all of
// the output was read.
func readProviderBlock(output io.Reader) providerBlock {
	var b providerBlock
	inEdge := false
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		b.text += lines.Text() + "\n"
		switch match := endpointLine.FindStringSubmatch(line); {
		case line == "ief = {":
			inEdge = true
		case match != nil && !inEdge && b.endpoint == "":
			b.endpoint = match[1]
		case line == "}" && !inEdge && b.endpoint != "":
			return b
		}
		if inEdge {
			b.edge += line + "\n"
			inEdge = line != "}"
		}
	}
	return b
}
