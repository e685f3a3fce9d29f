//go:build unix

package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/sandbox"
)

// kusciaSandbox is a running sandbox Kuscia. Its admin endpoint counts the requests.
type kusciaSandbox struct {
	*sandbox.Process

	token  string
	client *http.Client
}

// startSandbox starts the sandbox. podStart is the start time of a pod; more are
// additional flags.
func startSandbox(ctx context.Context, binary, certsDir string, podStart time.Duration, more ...string) (*kusciaSandbox, error) {
	process, err := sandbox.Start(ctx, binary, certsDir, append([]string{"--timing", "quick", "--start", podStart.String(), "--record", "20000"}, more...)...)
	if err != nil {
		return nil, err
	}
	s := &kusciaSandbox{Process: process}
	pair, err := tls.LoadX509KeyPair(filepath.Join(certsDir, "kusciaapi-server.crt"), filepath.Join(certsDir, "kusciaapi-server.key"))
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	token, err := os.ReadFile(filepath.Join(certsDir, "token"))
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	s.token = strings.TrimSpace(string(token))
	s.client = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{
		Certificates:       []tls.Certificate{pair},
		InsecureSkipVerify: true, //nolint:gosec // the sandbox's own endpoint on loopback
	}}}
	return s, nil
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

func (s *kusciaSandbox) counts(ctx context.Context) (counts, error) {
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

func (s *kusciaSandbox) forget(ctx context.Context) error {
	return s.admin(ctx, http.MethodDelete, "requests", nil, nil)
}

// created returns the creation times of the servings created since forget.
func (s *kusciaSandbox) created(ctx context.Context) (map[string]time.Time, error) {
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

func (s *kusciaSandbox) admin(ctx context.Context, method, path string, body, response any) error {
	return s.request(ctx, method, "/sandbox/"+path, body, response)
}

func (s *kusciaSandbox) request(ctx context.Context, method, path string, body, into any) error {
	encoded, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, method, s.Endpoint+path, bytes.NewReader(encoded))
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
	case into == nil:
		return nil
	}
	return json.Unmarshal(text, into)
}
