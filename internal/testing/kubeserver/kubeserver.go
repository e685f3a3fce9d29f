// Package kubeserver starts the program of testing/kubetest: a Kubernetes API for tests.
package kubeserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/apiserver"
)

// EnvKubetest is the environment variable with the program that serves a
// Kubernetes API for tests. "make test" builds it; otherwise the tests build it
// themselves.
const EnvKubetest = "KUSCIA_TEST_KUBETEST"

// timeFactor is the duration of the controllers' steps relative to real
// ones.
const timeFactor = "0.05"

// Server is a running kubetest program. It ends with this process.
type Server struct {
	*apiserver.Server
	// Config is that of a client with all permissions.
	Config *rest.Config
	http   *http.Client
}

// Start starts the program; the folder is only needed during the start.
func Start(dir string, arguments ...string) (*Server, error) {
	program, err := Program()
	if err != nil {
		return nil, fmt.Errorf("building kubetest: %w", err)
	}
	kubeconfig := filepath.Join(dir, "kubeconfig-of-the-server")
	s := &Server{}
	if s.Server, err = apiserver.Start(context.Background(), program, kubeconfig, append([]string{"-time-factor", timeFactor}, arguments...)...); err != nil {
		return nil, err
	}
	if s.Config, err = ConfigOf(kubeconfig); err == nil {
		s.http, err = rest.HTTPClientFor(s.Config)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Program is the program in EnvKubetest, or a newly built one.
var Program = sync.OnceValues(func() (string, error) {
	if program := os.Getenv(EnvKubetest); program != "" {
		return program, nil
	}
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	program := filepath.Join(root, ".bin", "kubetest")
	build := exec.Command("go", "build", "-C", filepath.Join(root, "internal", "testing", "kubetest"), "-ldflags", "-s -w", "-o", program, "./cmd/kubetest")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return program, nil
})

// moduleRoot is the folder of the provider's go.mod.
func moduleRoot() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	return strings.TrimSpace(string(out)), err
}

// Request sends a request to one of the paths for tests.
func (s *Server) Request(ctx context.Context, method, path string, body any) ([]byte, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, method, s.Config.Host+"/kubetest/"+path, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	resp, err := s.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	response, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s: %s: %s", method, path, resp.Status, response)
	}
	return response, err
}

// ConfigOf is the configuration of a client in a kubeconfig, without a limit of
// requests.
func ConfigOf(path string) (*rest.Config, error) {
	config, err := clientcmd.BuildConfigFromFlags("", path)
	if err == nil {
		config.QPS = -1
	}
	return config, err
}
