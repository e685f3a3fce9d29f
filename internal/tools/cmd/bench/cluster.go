//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tools/internal/workspace"
)

// clusterUser is the user whose requests are counted.
const clusterUser = "bench"

// cluster is a running Kubernetes API for tests. Its simulated controllers are
// much faster than real ones.
type cluster struct {
	// kubeconfig is the provider's kubeconfig file.
	kubeconfig string

	server, token string
	client        *http.Client
	cmd           *exec.Cmd
	input         io.Closer
	seen          int // requests before forget
}

// startCluster starts the API and waits until it responds. The acceptance tests
// start it in the same way (testing/acctest/kube_server.go), in another module,
// whose packages this one does not import.
func startCluster(ctx context.Context, program, dir string) (*cluster, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	admin := filepath.Join(dir, "admin")
	c := &cluster{kubeconfig: filepath.Join(dir, "kubeconfig"), cmd: exec.CommandContext(ctx, program, "-kubeconfig", admin, "-time-factor", "0.01")}
	var err error
	if c.input, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	output, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := workspace.Start(c.cmd); err != nil {
		return nil, fmt.Errorf("start %s: %w", program, err)
	}
	if line, _ := bufio.NewReader(output).ReadString('\n'); line != "ready\n" {
		return nil, errors.Join(fmt.Errorf("%s is not ready", program), c.close())
	}
	if err := c.open(ctx, admin); err != nil {
		return nil, errors.Join(err, c.close())
	}
	return c, nil
}

// open reads the administrator's kubeconfig, and writes the provider's.
func (c *cluster) open(ctx context.Context, admin string) error {
	text, err := os.ReadFile(filepath.Clean(admin))
	if err != nil {
		return err
	}
	authority, err := c.read(text)
	if err != nil {
		return fmt.Errorf("%s: %w", admin, err)
	}
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(authority)
	c.client = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS12}}}
	own, err := c.request(ctx, http.MethodPost, "/kubetest/users/"+clusterUser, nil)
	if err != nil {
		return err
	}
	return os.WriteFile(c.kubeconfig, own, 0o600)
}

// read reads the address and the token of the current context.
func (c *cluster) read(kubeconfig []byte) (authority []byte, err error) {
	var config struct {
		Current  string `yaml:"current-context"`
		Clusters []struct {
			Cluster struct {
				Server    string `yaml:"server"`
				Authority string `yaml:"certificate-authority-data"`
			} `yaml:"cluster"`
			Name string `yaml:"name"`
		} `yaml:"clusters"`
		Users []struct {
			Name string `yaml:"name"`
			User struct {
				Token string `yaml:"token"`
			} `yaml:"user"`
		} `yaml:"users"`
	}
	if err := yaml.Unmarshal(kubeconfig, &config); err != nil {
		return nil, err
	}
	for _, one := range config.Clusters {
		if one.Name == "kubetest" {
			c.server = one.Cluster.Server
			authority, err = base64.StdEncoding.DecodeString(one.Cluster.Authority)
		}
	}
	for _, one := range config.Users {
		if one.Name == config.Current {
			c.token = one.User.Token
		}
	}
	return authority, err
}

func (c *cluster) close() error {
	return errors.Join(c.input.Close(), workspace.Reap(c.cmd))
}

// create creates a cluster-scoped object.
func (c *cluster) create(ctx context.Context, path string, object any) error {
	_, err := c.request(ctx, http.MethodPost, path, object)
	return err
}

func (c *cluster) forget(ctx context.Context) error {
	all, err := c.requests(ctx)
	c.seen = len(all)
	return err
}

func (c *cluster) counts(ctx context.Context) (counts, error) {
	all, err := c.requests(ctx)
	if err != nil {
		return nil, err
	}
	found := counts{}
	for _, one := range all[c.seen:] {
		found[strings.TrimSpace(one.Verb+" "+one.Resource)]++
	}
	return found, nil
}

// apiRequest is a request to the Kubernetes API.
type apiRequest struct {
	Verb     string `json:"verb"`
	Resource string `json:"resource"`
}

func (c *cluster) requests(ctx context.Context) (all []apiRequest, err error) {
	text, err := c.request(ctx, http.MethodGet, "/kubetest/requests?user="+clusterUser, nil)
	if err != nil {
		return nil, err
	}
	return all, json.Unmarshal(text, &all)
}

func (c *cluster) request(ctx context.Context, method, path string, body any) ([]byte, error) {
	encoded, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, method, c.server+path, bytes.NewReader(encoded))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+c.token)
	request.Header.Set("Content-Type", "application/json")
	response, err := c.client.Do(request)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(response.Body)
	err = errors.Join(err, response.Body.Close())
	if err == nil && response.StatusCode >= http.StatusBadRequest {
		err = fmt.Errorf("%s %s: %s: %s", method, path, response.Status, text)
	}
	return text, err
}
