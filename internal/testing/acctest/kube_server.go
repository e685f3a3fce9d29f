package acctest

import (
	"bufio"
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
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
)

// EnvKubetest is the environment variable with the program that serves a
// Kubernetes API for tests. "make test" builds it; otherwise the tests build it
// themselves.
const EnvKubetest = "KUSCIA_TEST_KUBETEST"

// kubeTimeFactor is the duration of the controllers' steps relative to real
// ones.
const kubeTimeFactor = "0.05"

// KubeServer is a running kubetest program. It ends with this process.
type KubeServer struct {
	config *rest.Config
	http   *http.Client
	cmd    *exec.Cmd
	in     io.Closer
}

var sharedKubeServer = sync.OnceValues(func() (*KubeServer, error) {
	dir, err := os.MkdirTemp("", "kubetest-kubeconfig-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	return startKubeServer(dir)
})

// startKubeServer starts the program; the folder is only needed during the
// start.
func startKubeServer(dir string, arguments ...string) (*KubeServer, error) {
	program, err := kubetestProgram()
	if err != nil {
		return nil, fmt.Errorf("building kubetest: %w", err)
	}
	kubeconfig := filepath.Join(dir, "kubeconfig-of-the-server")
	s := &KubeServer{cmd: exec.Command(program, append([]string{"-kubeconfig", kubeconfig, "-time-factor", kubeTimeFactor}, arguments...)...)}
	problems := &bytes.Buffer{}
	s.cmd.Stderr = problems
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		return nil, fmt.Errorf("kubetest is not ready: %w: %s", errors.Join(s.close(), errors.New("it ended")), problems)
	}
	if s.config, err = configOf(kubeconfig); err == nil {
		s.http, err = rest.HTTPClientFor(s.config)
	}
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *KubeServer) close() error { return errors.Join(s.in.Close(), s.cmd.Wait()) }

// kubetestProgram is the program in EnvKubetest, or a newly built one.
var kubetestProgram = sync.OnceValues(func() (string, error) {
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

// request sends a request to one of the paths for tests.
func (s *KubeServer) request(ctx context.Context, method, path string, body any) ([]byte, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, method, s.config.Host+"/kubetest/"+path, bytes.NewReader(text))
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

// must is request for calls that cannot fail.
func (k *Kube) must(method, path string, body any) []byte {
	k.t.Helper()
	if k.Server == nil {
		k.t.Fatalf("%s %s: there is no simulated control plane", method, path)
	}
	ctx, cancel := outOfBand()
	defer cancel()
	response, err := k.Server.request(ctx, method, path, body)
	if err != nil {
		k.t.Fatalf("calling kubetest: %v", err)
	}
	return response
}

// The simulated controllers.
const (
	KusciaController = "kuscia"
	KruiseController = "kruise" // with its webhook
)

// StopController stops a controller, as if its program were not running. Use a
// separate server (NewKubeServer).
func (k *Kube) StopController(name string) {
	k.t.Helper()
	k.must(http.MethodPut, "controllers/"+name, map[string]any{"stopped": true})
}

// StartController starts a stopped controller again.
func (k *Kube) StartController(name string) {
	k.t.Helper()
	k.must(http.MethodPut, "controllers/"+name, map[string]any{"stopped": false})
}

// SetLag delays the reactions of a controller. Use a separate server
// (NewKubeServer).
func (k *Kube) SetLag(name string, lag time.Duration) {
	k.t.Helper()
	k.must(http.MethodPut, "controllers/"+name, map[string]any{"lag": lag.String()})
}

// SetTimeFactor changes the duration of all steps: 1 is that of real
// controllers. Use a separate server (NewKubeServer).
func (k *Kube) SetTimeFactor(factor float64) {
	k.t.Helper()
	k.must(http.MethodPut, "time", map[string]any{"factor": factor})
}

// KubeRule grants permissions, like a rule of a ClusterRole.
type KubeRule struct {
	APIGroups []string `json:"apiGroups"`
	Resources []string `json:"resources"`
	Verbs     []string `json:"verbs"`
}

// Limit restricts the provider's user to these permissions.
func (k *Kube) Limit(rules ...KubeRule) {
	k.t.Helper()
	if rules == nil {
		rules = []KubeRule{}
	}
	k.must(http.MethodPut, "users/"+k.user+"/rules", rules)
}

// The points at which KubeFault can cut a connection.
const (
	KubeCutBefore = "before" // the request has no effect
	KubeCutAfter  = "after"  // the request takes effect, and the response is lost
)

// KubeFault is a fault for the provider's next matching requests.
type KubeFault struct {
	Verb     string // get, list, create, update, patch, delete, watch; "" matches all
	Resource string // deployments, rollouts, ...; "" matches all
	Name     string // of the object; "" matches all

	Times   int           // how many requests; 0 is 1, -1 all
	Delay   time.Duration // before anything else
	Cut     string        // KubeCutBefore or KubeCutAfter
	Status  int           // an HTTP status instead of the response
	Message string        // with the status

	Body *unstructured.Unstructured // instead of the response: an earlier version of the object, as in a cache
}

// Fault injects a fault into the provider's requests, until the test ends.
func (k *Kube) Fault(fault KubeFault) {
	k.t.Helper()
	request := map[string]any{
		"user": k.user, "verb": fault.Verb, "resource": fault.Resource, "name": fault.Name,
		"times": fault.Times, "delay": fault.Delay.String(), "cut": fault.Cut, "status": fault.Status, "message": fault.Message,
	}
	if fault.Body != nil {
		request["body"] = fault.Body.Object
	}
	k.must(http.MethodPost, "faults", request)
}

// NoFaults removes all faults of this test.
func (k *Kube) NoFaults() {
	k.t.Helper()
	k.must(http.MethodDelete, "faults?user="+k.user, nil)
}
