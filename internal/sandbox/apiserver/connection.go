// Package apiserver is an API server as the store of the sandbox's KusciaAPI: it starts the
// program that serves one, with the controllers of Kuscia, Kubernetes and OpenKruise
// Rollouts (testing/kubetest), and sends requests to it.
package apiserver

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// timeout limits a request.
const timeout = time.Minute

// connection sends requests to an API server. It is not client-go, with which the sandbox
// would be three times as large.
type connection struct {
	url, token string
	http       *http.Client
}

// connect reads a kubeconfig in JSON.
func connect(kubeconfig string) (*connection, error) {
	text, err := os.ReadFile(kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("reading the kubeconfig: %w", err)
	}
	var config struct {
		Current  string `json:"current-context"`
		Contexts []struct {
			Name    string
			Context struct{ Cluster, User string }
		}
		Clusters []struct {
			Name    string
			Cluster struct {
				Server    string
				Authority []byte `json:"certificate-authority-data"`
			}
		}
		Users []struct {
			Name string
			User struct{ Token string }
		}
	}
	if err := json.Unmarshal(text, &config); err != nil {
		return nil, fmt.Errorf("reading the kubeconfig %s: %w", kubeconfig, err)
	}
	c, trusted := &connection{}, x509.NewCertPool()
	for _, context := range config.Contexts {
		if context.Name != config.Current {
			continue
		}
		for _, one := range config.Clusters {
			if one.Name == context.Context.Cluster {
				c.url = one.Cluster.Server
				trusted.AppendCertsFromPEM(one.Cluster.Authority)
			}
		}
		for _, one := range config.Users {
			if one.Name == context.Context.User {
				c.token = one.User.Token
			}
		}
	}
	if c.url == "" || c.token == "" {
		return nil, fmt.Errorf("the kubeconfig %s has no server or no token for its current context", kubeconfig)
	}
	c.http = &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS12}, ForceAttemptHTTP2: true,
	}}
	return c, nil
}

// Send implements objects.API.
func (c *connection) Send(method, path string, body, into any) error {
	response, err := c.do(context.Background(), method, path, body)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	if into == nil {
		return nil
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("decoding the response to %s %s: %w", method, path, err)
	}
	return nil
}

// Stream implements objects.API.
func (c *connection) Stream(ctx context.Context, path string, object func(json.RawMessage) error) error {
	response, err := c.do(ctx, http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	for decoder := json.NewDecoder(response.Body); ; {
		var next json.RawMessage
		if err := decoder.Decode(&next); err != nil {
			return err
		}
		if err := object(next); err != nil {
			return err
		}
	}
}

// do sends a request, and returns a successful response. One without a context has a
// time limit.
func (c *connection) do(ctx context.Context, method, path string, body any) (*http.Response, error) {
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return nil, fmt.Errorf("encoding an object: %w", err)
		}
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, c.url+path, content)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+c.token)
	request.Header.Set("Content-Type", "application/json")
	client := *c.http
	if ctx.Done() == nil {
		client.Timeout = timeout
	}
	response, err := client.Do(request)
	if err != nil || response.StatusCode < http.StatusBadRequest {
		return response, err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, path, err)
	}
	return nil, failure(response.StatusCode, text)
}

// failure is the error of a response, in the words of the API server.
func failure(code int, text []byte) error {
	var status struct {
		Reason  objects.Reason
		Message string
	}
	if json.Unmarshal(text, &status) != nil || status.Message == "" {
		status.Message = fmt.Sprintf("HTTP status %d: %s", code, text)
	}
	if code == http.StatusNotFound {
		status.Reason = objects.NotFound
	}
	return &objects.Error{Reason: status.Reason, Message: status.Message}
}

// Objects are the objects of an API server, for one sandbox.
type Objects struct {
	*connection
	mu        sync.Mutex
	recording bool
	created   []string // paths
}

// Record returns a function that deletes what is created from now on, the last first.
func (o *Objects) Record() (clean func() error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.recording = true
	return func() (err error) {
		o.mu.Lock()
		created := slices.Clone(o.created)
		o.mu.Unlock()
		for _, path := range slices.Backward(created) {
			if failed := o.Send(http.MethodDelete, path, nil, nil); objects.ReasonOf(failed) != objects.NotFound {
				err = errors.Join(err, failed)
			}
		}
		return err
	}
}

// Send implements objects.API.
func (o *Objects) Send(method, path string, body, into any) error {
	err := o.connection.Send(method, path, body, into)
	object, ok := body.(map[string]any)
	if err != nil || !ok || method != http.MethodPost {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if meta, ok := object["metadata"].(map[string]any); ok && o.recording {
		where, _, _ := strings.Cut(path, "?")
		o.created = append(o.created, fmt.Sprint(where, "/", meta["name"]))
	}
	return nil
}
