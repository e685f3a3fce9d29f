package apiserver

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
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
	c.http = &http.Client{Timeout: timeout, Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS12}, ForceAttemptHTTP2: true,
	}}
	return c, nil
}

// errNotFound is an object that does not exist.
var errNotFound = errors.New("not found")

// send sends a request and decodes the response. body and into may be nil.
func (c *connection) send(method, path string, body, into any) error {
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return fmt.Errorf("encoding an object: %w", err)
		}
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, c.url+path, content) //nolint:noctx // the client has a time limit
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+c.token)
	request.Header.Set("Content-Type", "application/json")
	response, err := c.http.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	switch {
	case err != nil:
		return fmt.Errorf("%s %s: %w", method, path, err)
	case response.StatusCode >= http.StatusBadRequest:
		return failure(response.StatusCode, text)
	case into == nil:
		return nil
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("decoding the response to %s %s: %w", method, path, err)
	}
	return nil
}

// failure is the error of a response, in the words of the API server.
func failure(code int, text []byte) error {
	var status struct{ Message string }
	if json.Unmarshal(text, &status) != nil || status.Message == "" {
		status.Message = fmt.Sprintf("HTTP status %d: %s", code, text)
	}
	if code == http.StatusNotFound {
		return fmt.Errorf("%w: %s", errNotFound, status.Message)
	}
	return errors.New(status.Message)
}
