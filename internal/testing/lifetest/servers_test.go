package lifetest_test

import (
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/provider"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief/ieftest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// servers are what the provider needs for the objects of a type.
type servers struct {
	// env is the Kuscia and kube the cluster; nil for types that need none.
	env  *acctest.Env
	kube *acctest.Kube
	// variables are environment variables of the provider.
	variables map[string]string
	// writes returns the requests so far that create, change or delete something. A real
	// server counts none.
	writes func() []string
	// refuse makes the servers refuse every create, change and delete, with HTTP status 403, until allow;
	// nil for real ones.
	refuse func() (allow func())
	// unique returns a unique name.
	unique func(prefix string) string
	// nextSecond lets the servers' time pass until an object that is created again has another
	// time of creation; nil where an object has an identity besides its name.
	nextSecond func()
	// hasImages is set once the app images of servings are there.
	hasImages bool
}

// getenv is the environment of the provider, with other variables.
func (s *servers) getenv(more map[string]string) func(string) string {
	return func(name string) string {
		if value, ok := more[name]; ok {
			return value
		}
		if value, ok := s.variables[name]; ok || s.env == nil || s.env.Sandbox != nil {
			return value
		}
		return os.Getenv(name)
	}
}

// factories are the provider for a CLI.
func (s *servers) factories() map[string]func() (tfprotov6.ProviderServer, error) {
	return map[string]func() (tfprotov6.ProviderServer, error){
		"kuscia": func() (tfprotov6.ProviderServer, error) { return s.newServer(nil), nil },
	}
}

func (s *servers) newServer(more map[string]string) tfprotov6.ProviderServer {
	return provider.NewServer(provider.Build{Version: "test"}, true, provider.WithEnvironment(s.getenv(more)))()
}

// run is a new run of the provider, with other environment variables.
func (s *servers) run(t *testing.T, more map[string]string) *protocol.Server {
	t.Helper()
	server := &protocol.Server{ProviderServer: s.newServer(more), Schemas: schemas, Context: t.Context()}
	return server.Configure(t, nil)
}

// nowhere is a provider whose servers do not exist: a request is an error.
func (s *servers) nowhere(t *testing.T) *protocol.Server {
	t.Helper()
	return s.run(t, map[string]string{
		"KUSCIA_ENDPOINT": "https://127.0.0.1:1", acctest.EnvKubeConfigPath: "/no/kubeconfig", "KUSCIA_IEF_ENDPOINT": "https://127.0.0.1:1",
		"KUSCIA_IEF_PROJECT_ID": "none", "KUSCIA_IEF_TOKEN": "none",
	})
}

// master is the Kuscia in the environment of the tests, or a sandbox.
func master(t *testing.T) *servers {
	t.Helper()
	return kusciaServers(acctest.New(t))
}

// withData is a Kuscia that stores domain data of alice.
func withData(t *testing.T) *servers {
	t.Helper()
	s := master(t)
	s.env.RequireDefaultDataSource(t, "alice")
	return s
}

// nodeOfAlice is a sandbox that is the node of alice.
func nodeOfAlice(t *testing.T) *servers {
	t.Helper()
	return kusciaServers(acctest.NewSandbox(t, sandbox.Options{Autonomy: "alice"}))
}

func kusciaServers(e *acctest.Env) *servers {
	s := &servers{env: e, unique: e.Name, writes: func() []string { return nil }}
	s.nextSecond = func() { time.Sleep(time.Second) }
	if e.Sandbox == nil {
		return s
	}
	s.nextSecond = func() { e.Sandbox.Advance(time.Second) }
	s.refuse = func() func() {
		for _, call := range []string{"/create", "/update", "/delete"} {
			e.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultStatus, Status: http.StatusForbidden, Path: call, Times: sandbox.Always})
		}
		return e.Sandbox.ClearFaults
	}
	s.variables = map[string]string{"KUSCIA_ENDPOINT": e.Sandbox.Endpoint(), "KUSCIA_CERTS_DIR": e.Sandbox.CertsDir()}
	s.writes = func() (writes []string) {
		for path, n := range e.Sandbox.Counts() {
			if strings.HasSuffix(path, "/create") || strings.HasSuffix(path, "/update") || strings.HasSuffix(path, "/delete") {
				writes = append(writes, slices.Repeat([]string{path}, n)...)
			}
		}
		return writes
	}
	return s
}

// cluster is the control plane in the environment of the tests, or a simulated one.
func cluster(t *testing.T) *servers {
	t.Helper()
	k := acctest.NewKube(t)
	requests := k.CountRequests()
	refuse := func() func() {
		for _, verb := range []string{"create", "update", "patch", "delete"} {
			k.Fault(acctest.KubeFault{Verb: verb, Status: http.StatusForbidden, Times: sandbox.Always})
		}
		return k.NoFaults
	}
	return &servers{kube: k, refuse: refuse, variables: k.Variables(), unique: k.Name, writes: func() (writes []string) {
		for _, request := range requests.Since() {
			if request.IsWrite() {
				writes = append(writes, request.String())
			}
		}
		return writes
	}}
}

// edge is a simulated IEF.
func edge(t *testing.T) *servers {
	t.Helper()
	server := ieftest.Start(t, ief.Options{Timing: ief.QuickTiming(), InstanceIDs: []string{"i-1"}})
	unique := func(prefix string) string { return prefix }
	refuse := func() func() {
		for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete} {
			server.Inject(sandbox.Fault{Kind: sandbox.FaultStatus, Status: http.StatusForbidden, Method: method, Times: sandbox.Always})
		}
		return server.ClearFaults
	}
	return &servers{unique: unique, refuse: refuse, variables: server.Environment(), writes: func() (writes []string) {
		for _, request := range server.Requests() {
			if request.Method != "GET" {
				writes = append(writes, request.Method+" "+request.Path)
			}
		}
		return writes
	}}
}
