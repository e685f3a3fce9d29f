//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/workspace"
)

// sandboxStart is the time limit for the start of the sandbox.
const sandboxStart = 20 * time.Second

// sandbox is a running sandbox Kuscia. Its admin endpoint counts the requests.
type sandbox struct {
	endpoint string
	certsDir string
	// edge is the provider configuration for the simulated IEF, if there is
	// one.
	edge   string
	token  string
	client *http.Client
	cmd    *exec.Cmd
	stop   context.CancelFunc
}

var endpointLine = regexp.MustCompile(`endpoint\s*=\s*"(https?://[^"]+)"`)

// startSandbox starts the sandbox and waits until it listens. podStart is the
// start time of a pod; more are additional flags.
func startSandbox(ctx context.Context, binary, certsDir string, podStart time.Duration, more ...string) (*sandbox, error) {
	ctx, stop := context.WithCancel(ctx)
	s := &sandbox{certsDir: certsDir, stop: stop}
	s.cmd = exec.CommandContext(ctx, binary, append([]string{
		"--listen", "127.0.0.1:0", "--protocol", "MTLS",
		"--certs-dir", certsDir, "--timing", "quick", "--start", podStart.String(), "--record", "20000",
	}, more...)...)
	output, err := s.cmd.StdoutPipe()
	if err == nil {
		err = workspace.Start(s.cmd)
	}
	if err != nil {
		stop()
		return nil, fmt.Errorf("start the sandbox: %w", err)
	}
	found := make(chan announced, 1)
	go func() {
		defer close(found)
		found <- readAnnounced(output)
		_, _ = io.Copy(io.Discard, output)
	}()
	select {
	case printed := <-found:
		s.endpoint, s.edge = printed.endpoint, printed.edge
	case <-time.After(sandboxStart):
	}
	if s.endpoint == "" {
		return nil, errors.Join(errors.New("the sandbox does not listen"), s.close())
	}
	pair, err := tls.LoadX509KeyPair(filepath.Join(certsDir, "kusciaapi-server.crt"), filepath.Join(certsDir, "kusciaapi-server.key"))
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	token, err := os.ReadFile(filepath.Join(certsDir, "token"))
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	s.token = strings.TrimSpace(string(token))
	s.client = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{
		Certificates:       []tls.Certificate{pair},
		InsecureSkipVerify: true, //nolint:gosec // the sandbox's own endpoint on loopback
	}}}
	return s, nil
}

// announced is the output of the sandbox once it listens.
type announced struct{ endpoint, edge string }

// readAnnounced reads a provider block to its end.
func readAnnounced(output io.Reader) announced {
	var a announced
	inEdge := false
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		switch match := endpointLine.FindStringSubmatch(line); {
		case line == "ief = {":
			inEdge = true
		case match != nil && !inEdge && a.endpoint == "":
			a.endpoint = match[1]
		case line == "}" && !inEdge && a.endpoint != "":
			return a
		}
		if inEdge {
			a.edge += line + "\n"
			inEdge = line != "}"
		}
	}
	return a
}

func (s *sandbox) close() error {
	s.stop()
	err := workspace.Reap(s.cmd)
	var exit *exec.ExitError
	if errors.Is(err, context.Canceled) || errors.As(err, &exit) {
		return nil // ended by the interrupt, as intended
	}
	return err
}

// counts returns the number of requests since forget, keyed by the last part of
// their path.
type counts map[string]int

func (c counts) total() (sum int) {
	for _, n := range c {
		sum += n
	}
	return sum
}

func (s *sandbox) counts(ctx context.Context) (counts, error) {
	var all counts
	if err := s.admin(ctx, http.MethodGet, "counts", nil, &all); err != nil {
		return nil, err
	}
	short := counts{}
	for path, n := range all {
		short[strings.TrimPrefix(path, "/api/v1/")] += n
	}
	return short, nil
}

func (s *sandbox) forget(ctx context.Context) error {
	return s.admin(ctx, http.MethodDelete, "requests", nil, nil)
}

// delay delays every response; 0 removes the delay.
func (s *sandbox) delay(ctx context.Context, by time.Duration) error {
	// The first matching fault applies, so the previous one must be removed.
	if err := s.admin(ctx, http.MethodDelete, "faults", nil, nil); err != nil || by == 0 {
		return err
	}
	return s.admin(ctx, http.MethodPost, "faults", map[string]any{"kind": "latency", "times": -1, "delay": by.String()}, nil)
}

// created returns the creation times of the servings created since forget.
func (s *sandbox) created(ctx context.Context) (map[string]time.Time, error) {
	var requests []struct {
		Time time.Time `json:"time"`
		Op   string    `json:"op"`
		Body string    `json:"body"`
		Code int       `json:"code"`
	}
	if err := s.admin(ctx, http.MethodGet, "requests", nil, &requests); err != nil {
		return nil, err
	}
	times := map[string]time.Time{}
	for _, request := range requests {
		if request.Op != "/api/v1/serving/create" || request.Code != 0 {
			continue
		}
		var body struct {
			ServingID string `json:"serving_id"`
		}
		if err := json.Unmarshal([]byte(request.Body), &body); err != nil {
			return nil, fmt.Errorf("a recorded request: %w", err)
		}
		times[body.ServingID] = request.Time
	}
	return times, nil
}

func (s *sandbox) admin(ctx context.Context, method, path string, body, response any) error {
	return s.request(ctx, method, "/sandbox/"+path, body, response)
}

// post calls the API.
func (s *sandbox) post(ctx context.Context, path string, body, response any) error {
	return s.request(ctx, http.MethodPost, path, body, response)
}

func (s *sandbox) request(ctx context.Context, method, path string, body, answer any) error {
	encoded, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, method, s.endpoint+path, bytes.NewReader(encoded))
	if err != nil {
		return err
	}
	request.Header.Set("Token", s.token)
	request.Header.Set("Content-Type", "application/json")
	response, err := s.client.Do(request)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(response.Body)
	err = errors.Join(err, response.Body.Close())
	switch {
	case err != nil:
		return err
	case response.StatusCode >= http.StatusBadRequest:
		return fmt.Errorf("%s %s: %s: %s", method, path, response.Status, text)
	case answer == nil:
		return nil
	}
	return json.Unmarshal(text, answer)
}
