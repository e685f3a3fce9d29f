package acctest

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
)

// Workspace is a directory with a configuration for the CLI, for tests that
// terraform-plugin-testing does not support: modules, warnings, generated
// configuration; and for tests to which the output of a few commands says enough.
type Workspace struct {
	// Dir is the directory.
	Dir string

	t   *testing.T
	cli string
	env []string
}

// NewWorkspace serves the provider for a test's Kuscia to a CLI.
func (e *Env) NewWorkspace(t *testing.T) *Workspace {
	t.Helper()
	return NewWorkspace(t, e.ProtoV6ProviderFactories())
}

// NewWorkspace serves the provider of the factories to a CLI.
func NewWorkspace(t *testing.T, factories map[string]func() (tfprotov6.ProviderServer, error)) *Workspace {
	t.Helper()
	return &Workspace{
		Dir: t.TempDir(), t: t, cli: CLI(t),
		env: append(os.Environ(), "TF_REATTACH_PROVIDERS="+Serve(t, factories), "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1"),
	}
}

// Initialized is a workspace with a configuration, after the init.
func (e *Env) Initialized(t *testing.T, config string) *Workspace {
	t.Helper()
	w := e.NewWorkspace(t)
	w.Write("main.tf", config)
	w.Init()
	return w
}

// Applied is a workspace with an applied configuration. Everything is destroyed
// when the test ends.
func (e *Env) Applied(t *testing.T, config string) *Workspace {
	t.Helper()
	w := e.Initialized(t, config)
	w.DestroyAtEnd()
	w.Apply()
	return w
}

// Serve serves the provider of the factories until the test ends. It returns the value
// of TF_REATTACH_PROVIDERS for a CLI, with every address that a configuration may use
// for the provider. All provider blocks of a configuration get one server, so that
// there must not be several.
func Serve(t *testing.T, factories map[string]func() (tfprotov6.ProviderServer, error)) string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	served, closed := make(chan *plugin.ReattachConfig), make(chan struct{})
	failed := make(chan error, 1)
	go func() {
		failed <- tf6server.Serve("registry.terraform.io/hashicorp/kuscia", func() tfprotov6.ProviderServer {
			server, err := factories["kuscia"]()
			if err != nil {
				panic(err) // the signature leaves no other way
			}
			return server
		}, tf6server.WithDebug(ctx, served, closed), tf6server.WithoutLogStderrOverride(), tf6server.WithLoggingSink(t))
	}()
	var reattach *plugin.ReattachConfig
	select {
	case reattach = <-served:
	case err := <-failed:
		cancel()
		t.Fatalf("serving the provider: %v", err)
	}
	t.Cleanup(func() {
		cancel()
		<-closed
	})
	all := map[string]any{}
	for _, host := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		for _, namespace := range []string{"hashicorp", "terraform-kuscia"} {
			all[host+"/"+namespace+"/kuscia"] = map[string]any{
				"Protocol": "grpc", "ProtocolVersion": 6, "Pid": os.Getpid(), "Test": true,
				"Addr": map[string]string{"Network": reattach.Addr.Network(), "String": reattach.Addr.String()},
			}
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Write writes a file, or removes it if content is empty.
func (w *Workspace) Write(name, content string) {
	w.t.Helper()
	path := filepath.Join(w.Dir, name)
	if content == "" {
		if err := os.Remove(path); err != nil {
			w.t.Fatal(err)
		}
		return
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// Read is the content of a file.
func (w *Workspace) Read(name string) string {
	w.t.Helper()
	content, err := os.ReadFile(filepath.Join(w.Dir, name))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(content)
}

// Try runs the CLI and returns its output and exit code.
func (w *Workspace) Try(arguments ...string) (output string, code int) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, w.cli, arguments...)
	command.Dir, command.Env = w.Dir, w.env
	return CommandOutput(w.t, command)
}

// Run runs the CLI and checks the exit code.
func (w *Workspace) Run(code int, arguments ...string) string {
	w.t.Helper()
	output, got := w.Try(append(arguments, "-no-color")...)
	if got != code {
		w.t.Fatalf("%v ends with %d, want %d:\n%s", arguments, got, code, output)
	}
	return output
}

// Init installs the modules of a configuration. Without any there is nothing to do: the test
// is the source of the provider.
func (w *Workspace) Init() {
	w.t.Helper()
	files, err := filepath.Glob(filepath.Join(w.Dir, "*.tf"))
	if err != nil || len(files) == 0 {
		w.t.Fatalf("no configuration: %v", err)
	}
	for _, file := range files {
		if modules.MatchString(w.Read(filepath.Base(file))) {
			w.Run(0, "init", "-input=false")
			return
		}
	}
}

var modules = regexp.MustCompile(`(?m)^module `)

// Apply applies what is in the workspace.
func (w *Workspace) Apply() { w.t.Helper(); w.Run(0, "apply", "-auto-approve", "-input=false") }

// The exit codes of plan -detailed-exitcode.
const (
	PlanEmpty   = 0
	PlanDiffers = 2
)

// Plan checks that the plan is empty (PlanEmpty) or not (PlanDiffers), and
// returns its output.
func (w *Workspace) Plan(code int) string {
	w.t.Helper()
	return w.Run(code, "plan", "-detailed-exitcode", "-input=false")
}

// DestroyAtEnd destroys everything when the test ends.
func (w *Workspace) DestroyAtEnd() {
	w.t.Cleanup(func() { w.Run(0, "destroy", "-auto-approve", "-input=false") })
}
