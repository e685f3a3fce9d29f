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

	"k8s.io/client-go/rest"
)

// EnvKubetest names the program that serves a Kubernetes API for tests. "make
// test" builds it; without it the tests build it themselves.
const EnvKubetest = "KUSCIA_TEST_KUBETEST"

// kubeTimeFactor is how much faster than the real ones the controllers are.
const kubeTimeFactor = "0.05"

// KubeServer is the program kubetest at work. It ends with this process.
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

// startKubeServer starts the program; the folder is for a file that is needed
// no longer than that.
func startKubeServer(dir string) (*KubeServer, error) {
	program, err := kubetestProgram()
	if err != nil {
		return nil, fmt.Errorf("building kubetest: %w", err)
	}
	kubeconfig := filepath.Join(dir, "kubeconfig-of-the-server")
	s := &KubeServer{cmd: exec.Command(program, "-kubeconfig", kubeconfig, "-time-factor", kubeTimeFactor)}
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

// kubetestProgram is the program that EnvKubetest names, or one that is built
// now.
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

// request asks for one of the paths that are for tests alone.
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
	answer, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s: %s: %s", method, path, resp.Status, answer)
	}
	return answer, err
}

// must is request for what cannot fail.
func (k *Kube) must(method, path string, body any) []byte {
	k.t.Helper()
	if k.Server == nil {
		k.t.Fatalf("%s %s: there is no played control plane", method, path)
	}
	ctx, cancel := outOfBand()
	defer cancel()
	answer, err := k.Server.request(ctx, method, path, body)
	if err != nil {
		k.t.Fatalf("asking kubetest: %v", err)
	}
	return answer
}

// Controllers that are played.
const (
	KubeController   = "kubernetes" // Deployments and their pods
	KusciaController = "kuscia"
	KruiseController = "kruise" // with its webhook
)

// StopController lets a controller do nothing, as if its program were not
// running. Use a server of the test's own (NewKubeServer).
func (k *Kube) StopController(name string) {
	k.t.Helper()
	k.must(http.MethodPut, "controllers/"+name, map[string]any{"stopped": true})
}

// StartController lets a stopped controller go on.
func (k *Kube) StartController(name string) {
	k.t.Helper()
	k.must(http.MethodPut, "controllers/"+name, map[string]any{"stopped": false})
}

// SetLag lets a controller look at changes so much later. Use a server of the
// test's own (NewKubeServer).
func (k *Kube) SetLag(name string, lag time.Duration) {
	k.t.Helper()
	k.must(http.MethodPut, "controllers/"+name, map[string]any{"lag": lag.String()})
}

// SetTimeFactor changes how long things take: 1 is as long as in life. Use a
// server of the test's own (NewKubeServer).
func (k *Kube) SetTimeFactor(factor float64) {
	k.t.Helper()
	k.must(http.MethodPut, "time", map[string]any{"factor": factor})
}

// KubeRule gives rights, as a rule of a ClusterRole does.
type KubeRule struct {
	APIGroups []string `json:"apiGroups"`
	Resources []string `json:"resources"`
	Verbs     []string `json:"verbs"`
}

// Limit gives the provider's user these rights and no others.
func (k *Kube) Limit(rules ...KubeRule) {
	k.t.Helper()
	if rules == nil {
		rules = []KubeRule{}
	}
	k.must(http.MethodPut, "users/"+k.user+"/rules", rules)
}

// Where KubeFault cuts a connection.
const (
	KubeCutBefore = "before" // nothing has happened
	KubeCutAfter  = "after"  // it has happened, and the answer is lost
)

// KubeFault is something wrong with the provider's next requests that fit.
type KubeFault struct {
	Verb     string // get, list, create, update, patch, delete, watch; "" fits all
	Resource string // deployments, rollouts, ...; "" fits all
	Name     string // of the object; "" fits all

	Times   int           // how many requests; 0 is 1, -1 all
	Delay   time.Duration // before anything else
	Cut     string        // KubeCutBefore or KubeCutAfter
	Status  int           // an HTTP status in place of the answer
	Message string        // with the status
}

// Fault lets the provider's requests fail, until the test ends.
func (k *Kube) Fault(fault KubeFault) {
	k.t.Helper()
	k.must(http.MethodPost, "faults", map[string]any{
		"user": k.user, "verb": fault.Verb, "resource": fault.Resource, "name": fault.Name,
		"times": fault.Times, "delay": fault.Delay.String(), "cut": fault.Cut, "status": fault.Status, "message": fault.Message,
	})
}

// NoFaults ends all faults of this test.
func (k *Kube) NoFaults() {
	k.t.Helper()
	k.must(http.MethodDelete, "faults?user="+k.user, nil)
}
